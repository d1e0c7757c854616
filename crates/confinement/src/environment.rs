//! The environment of children: what drivers and programs need, and no secrets.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Variables with the proxy for requests, as HTTP clients read them.
pub const PROXIES: [&str; 6] = ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"];
/// Variables with files of trusted certificates.
pub const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Variables that are passed on.
const KEPT: [&str; 10] = [
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "NO_PROXY",
    "PATH",
    "RAYON_NUM_THREADS",
    "RUST_BACKTRACE",
    "TZ",
    "TZDIR",
    "no_proxy",
];
/// Beginnings of the names of variables that select and tune graphics drivers.
const KEPT_OF_DRIVERS: [&str; 12] =
    ["ANV_", "CUDA_", "GALLIUM_", "INTEL_", "LIBGL_", "LP_", "MESA_", "NVIDIA_", "RADV_", "VK_", "WGPU_", "__GL_"];

/// The environment of a child whose temporary files are in `temp`.
#[must_use]
pub fn environment(temp: &Path) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> = std::env::vars_os().filter(|(name, _)| is_kept(name)).collect();
    for folder in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        kept.push((folder.into(), temp.into()));
    }
    // A cache of shaders would be programs that one job leaves for the next.
    for (name, value) in [("MESA_SHADER_CACHE_DISABLE", "true"), ("__GL_SHADER_DISK_CACHE", "0")] {
        kept.push((name.into(), value.into()));
    }
    kept
}

fn is_kept(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    [&KEPT[..], &PROXIES, &CERTIFICATES].iter().any(|names| names.contains(&name))
        || KEPT_OF_DRIVERS.iter().any(|driver| name.starts_with(driver))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_the_server_do_not_reach_its_children() {
        for (name, kept) in [
            ("PATH", true),
            ("VK_ICD_FILENAMES", true),
            ("HTTPS_PROXY", true),
            ("AWS_SECRET_ACCESS_KEY", false),
            ("DATABASE_URL", false),
            ("HOME", false),
            ("LD_PRELOAD", false),
            ("SSH_AUTH_SOCK", false),
        ] {
            assert_eq!(is_kept(OsStr::new(name)), kept, "{name}");
        }
        let environment = environment(Path::new("/data/work/tmp"));
        let home = environment.iter().find(|(name, _)| name == "HOME").map(|(_, value)| value.as_os_str());
        assert_eq!(home, Some(OsStr::new("/data/work/tmp")));
    }
}
