//! Files of the system that programs and drivers need.

use std::path::{Path, PathBuf};

/// Libraries and their data, and what the standard library reads of the machine.
pub(crate) const READ: &[&str] = &[
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/share",
    "/lib",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Further files that drivers of graphics devices read.
pub(crate) const GRAPHICS_READ: &[&str] = &[
    "/etc/OpenCL",
    "/etc/drirc",
    "/etc/glvnd",
    "/etc/vulkan",
    "/opt/amdgpu",
    "/opt/rocm",
    "/proc/devices",
    "/proc/driver",
    "/proc/modules",
    "/run/opengl-driver",
    "/sys/bus/pci",
    "/sys/class/drm",
    "/sys/dev/char",
    "/sys/devices",
    "/sys/module",
];

/// Name resolution and trusted certificates.
pub(crate) const NETWORK_READ: &[&str] = &[
    "/etc/ca-certificates",
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
    "/run/NetworkManager/resolv.conf",
    "/run/systemd/resolve/resolv.conf",
    "/run/systemd/resolve/stub-resolv.conf",
];

/// Devices that every program may write to.
pub(crate) const DEVICES: &[&str] = &["/dev/null"];

/// Beginnings of the names of graphics devices in `/dev`.
const GRAPHICS_DEVICES: &[&str] = &["dri", "dxg", "kfd", "nvidia", "udmabuf"];

/// Graphics devices of this machine.
pub(crate) fn graphics_devices() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let is_graphics = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        GRAPHICS_DEVICES.iter().any(|device| name.starts_with(device))
    };
    entries.map(|entry| entry.path()).filter(is_graphics).collect()
}

/// Loaders that the kernel starts with each program.
pub(crate) fn program_loaders() -> Vec<PathBuf> {
    let mut loaders = Vec::new();
    for folder in ["/lib64", "/lib"] {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_loader = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("ld-linux") || name.starts_with("ld-musl")
        };
        loaders.extend(entries.map(|entry| entry.path()).filter(is_loader));
    }
    // Programs of these stores have their loaders, and often wrappers, next to them.
    loaders.extend(["/nix/store", "/gnu/store"].map(PathBuf::from));
    loaders
}

/// Returns the path of a program that is searched for in `PATH`.
#[must_use]
pub fn find_program(name: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let is_program = |path: &Path| path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_program(path))
}
