//! Layers of a staged picture: a file that lies beside the picture and accompanies it into jobs whose kind accepts layers.

/// Ending of the layers' file name, in place of the picture's own.
pub const ENDING: &str = "layers.tif";

/// Name of the layers of `image_url` among a job's inputs.
pub const INPUT: &str = "layers";

/// Name of the layers of a picture among a job's inputs, by the name of the picture: `layers` for `image_url`.
#[must_use]
pub fn input_of(picture: &str) -> String {
    match picture.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{INPUT}"),
        None => INPUT.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_picture_of_a_job_has_its_own_layers() {
        assert_eq!(input_of("image_url"), INPUT);
        assert_eq!(input_of("options/photos/1/image_url"), "options/photos/1/layers");
    }
}
