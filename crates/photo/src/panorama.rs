//! Panoramas: pictures in another projection than that of a flat photo. They are recognized by their metadata (Google's Photo Sphere
//! XMP, "GPano"), or by the camera that makes nothing else and the proportions of a full sphere; not by proportions alone.

/// Namespace of the tags.
const NAMESPACE: &[u8] = b"http://ns.google.com/photos/1.0/panorama/";
/// Tags that are kept as they are.
const KEPT: [&str; 13] = [
    "UsePanoramaViewer",
    "CaptureSoftware",
    "StitchingSoftware",
    "PoseHeadingDegrees",
    "PosePitchDegrees",
    "PoseRollDegrees",
    "InitialViewHeadingDegrees",
    "InitialViewPitchDegrees",
    "InitialViewRollDegrees",
    "InitialHorizontalFOVDegrees",
    "InitialVerticalFOVDegrees",
    "InitialCameraDolly",
    "SourcePhotosCount",
];
/// Tags in pixels across, and down.
const ACROSS: [&str; 5] = [
    "FullPanoWidthPixels",
    "CroppedAreaImageWidthPixels",
    "CroppedAreaLeftPixels",
    "LargestValidInteriorRectLeft",
    "LargestValidInteriorRectWidth",
];
const DOWN: [&str; 5] = [
    "FullPanoHeightPixels",
    "CroppedAreaImageHeightPixels",
    "CroppedAreaTopPixels",
    "LargestValidInteriorRectTop",
    "LargestValidInteriorRectHeight",
];
/// Parts of the names of cameras with two fisheye lenses, lower case.
const CAMERAS: [&str; 10] = [
    "theta",
    "insta360",
    "gear 360",
    "sm-c200",
    "sm-r210",
    "qoocam",
    "gopro max",
    "keymission 360",
    "virb 360",
    "madventure",
];
/// Greatest length of a value.
const MAX_VALUE: usize = 200;
/// Greatest relative difference between the proportions of the picture and those in its tags.
const MAX_DIFFERENCE: f64 = 0.02;

/// A panorama.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panorama {
    /// Its projection: "equirectangular" for a sphere or a part of one.
    pub projection: String,
    /// Its other tags with their values, in pixels of the stored picture.
    tags: Vec<(&'static str, String)>,
    /// Size of the stored picture, pixels.
    size: [usize; 2],
}

impl Panorama {
    /// Finds what says that a picture of a size is a panorama.
    pub(crate) fn find(xmp: Option<&[u8]>, camera: &str, size: [usize; 2]) -> Option<Self> {
        let xmp = xmp.filter(|xmp| memchr::memmem::find(xmp, NAMESPACE).is_some());
        let xmp = xmp.map(String::from_utf8_lossy).unwrap_or_default();
        let names = KEPT.iter().chain(&ACROSS).chain(&DOWN);
        let tags: Vec<_> = names.filter_map(|name| Some((*name, value(&xmp, name)?))).collect();
        let is_sphere = size[0] == 2 * size[1];
        let projection = value(&xmp, "ProjectionType").map(|projection| projection.to_ascii_lowercase());
        let camera = camera.to_ascii_lowercase();
        let is_by_camera = CAMERAS.iter().any(|name| camera.contains(name));
        let projection = projection.filter(|projection| !projection.is_empty()).or_else(|| {
            let is_sphere = is_sphere && (is_by_camera || !tags.is_empty());
            is_sphere.then(|| "equirectangular".to_owned())
        })?;
        let panorama = Self { projection, tags, size };
        // A part that was cut out of a panorama may still have its tags.
        panorama.fits().then_some(panorama)
    }

    /// Returns whether the picture has the proportions that its tags say.
    fn fits(&self) -> bool {
        let pair = |across, down| Some((self.number(across)?, self.number(down)?));
        let said = pair("CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels")
            .or_else(|| pair("FullPanoWidthPixels", "FullPanoHeightPixels"));
        let Some((width, height)) = said.filter(|(width, height)| *width > 0.0 && *height > 0.0) else { return true };
        let own = self.size[0] as f64 / self.size[1] as f64;
        (own * height / width - 1.0).abs() < MAX_DIFFERENCE
    }

    fn number(&self, name: &str) -> Option<f64> {
        let (_, value) = self.tags.iter().find(|(tag, _)| *tag == name)?;
        value.trim().parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// What it is, with an article.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.projection.as_str(), self.part_of_sphere()) {
            ("equirectangular", None) => "a 360-degree panorama".to_owned(),
            ("equirectangular", Some([across, down])) => format!("a panorama of {across} x {down} degrees"),
            (projection, _) => format!("a panorama ({projection} projection)"),
        }
    }

    /// Degrees across and down that its tags say it covers; `None` for a full sphere.
    fn part_of_sphere(&self) -> Option<[i64; 2]> {
        let degrees = |part, whole, full: f64| {
            let share = self.number(part)? / self.number(whole)?;
            (0.0..1.0).contains(&share).then(|| (share * full).round().max(1.0) as i64)
        };
        let across = degrees("CroppedAreaImageWidthPixels", "FullPanoWidthPixels", 360.0);
        let down = degrees("CroppedAreaImageHeightPixels", "FullPanoHeightPixels", 180.0);
        (across.is_some() || down.is_some()).then_some([across.unwrap_or(360), down.unwrap_or(180)])
    }

    /// Sentence for the report.
    pub(crate) fn reading(&self) -> String {
        format!("read as {}: its projection is kept", self.name())
    }

    /// Tags for a version of the picture of another size.
    #[must_use]
    pub fn tags(&self, width: usize, height: usize) -> Vec<(&'static str, String)> {
        // Tags of a picture that was scaled before are in pixels of the original.
        let factor =
            |size: usize, own: usize, name| size as f64 / self.number(name).filter(|n| *n > 0.0).unwrap_or(own as f64);
        let across = factor(width, self.size[0], "CroppedAreaImageWidthPixels");
        let down = factor(height, self.size[1], "CroppedAreaImageHeightPixels");
        let scaled = |(name, value): &(&'static str, String)| {
            let factor = match name {
                name if ACROSS.contains(name) => across,
                name if DOWN.contains(name) => down,
                name => return Some((*name, value.clone())),
            };
            let number: f64 = value.trim().parse().ok()?;
            Some((*name, format!("{}", (number * factor).round() as i64)))
        };
        let projection = ("ProjectionType", self.projection.clone());
        std::iter::once(projection).chain(self.tags.iter().filter_map(scaled)).collect()
    }
}

/// Value of a tag, as an attribute or an element.
fn value(xmp: &str, name: &str) -> Option<String> {
    let mut rest = xmp;
    loop {
        let at = rest.find(name)?;
        let is_whole = rest[..at].ends_with(':');
        rest = &rest[at + name.len()..];
        if !is_whole {
            continue;
        }
        let after = rest.trim_start();
        let value = if let Some(after) = after.strip_prefix('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''));
            quote.and_then(|quote| after[1..].split_once(quote)).map(|(value, _)| value)
        } else {
            after.strip_prefix('>').and_then(|after| after.split_once('<')).map(|(value, _)| value)
        };
        let value = value.map(str::trim).filter(|value| !value.is_empty() && value.len() <= MAX_VALUE);
        if let Some(value) = value {
            // Written by hand into the attributes of new XMP.
            let is_plain = |letter: char| letter.is_alphanumeric() || " .,:+-_()/".contains(letter);
            return value.chars().all(is_plain).then(|| value.to_owned());
        }
    }
}
