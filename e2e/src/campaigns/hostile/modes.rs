//! Permissions of what Aerie creates, with a careless umask.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::campaigns::Finding;
use crate::{Server, serve_pictures, with_umask};

/// Serves, backs up and restores with each umask.
pub(super) fn check(data: &Path) -> Finding {
    let results: Vec<_> = ["022", "000"].into_iter().map(|umask| (umask, open_files(data, umask))).collect();
    let shown = results.iter().map(|(umask, result)| match result {
        Ok((files, open)) if open.is_empty() => format!("umask {umask}: {files} files and folders, all private"),
        Ok((files, open)) => {
            format!("umask {umask}: {} of {files} not as they must be: {}", open.len(), open.join(", "))
        }
        Err(why) => format!("umask {umask}: {why}"),
    });
    let measured = shown.collect::<Vec<_>>().join("; ");
    Finding { held: results.iter().all(|(_, result)| matches!(result, Ok((_, open)) if open.is_empty())), measured }
}

/// Returns how many files and folders there are, and those whose permissions are wrong.
fn open_files(data: &Path, umask: &str) -> Result<(usize, Vec<String>), String> {
    let [data, backup, restored] =
        ["data", "backup", "restored"].map(|name| data.with_extension(format!("{umask}-{name}")));
    let command = |arguments: &[&str], data: &Path| {
        let output = with_umask(umask).args(arguments).args(["--json", "--data"]).arg(data).output();
        parsed(&output.map_err(|error| error.to_string())?)
    };
    let org = command(&["admin", "org", "create", "Acme"], &data)?["org_id"].as_str().unwrap_or_default().to_owned();
    let key =
        command(&["admin", "key", "create", "--org", &org], &data)?["key"].as_str().unwrap_or_default().to_owned();
    // The smallest PNG; it is stored when the job is submitted.
    let url = serve_pictures(BTreeMap::from([("room.png", png())]));
    let server = Server::restart_with_umask(umask, &data, 0, &org, &key);
    let body = json!({"image_url": format!("{url}/room.png")});
    let answer = server.client.post("/v1/image-enhance/generate", &body);
    if answer.status != 202 {
        return Err(format!("the picture is refused: {}", answer.status));
    }
    // Beside a database in use, its `-wal` and `-shm`.
    let mut modes = modes_in(&data);
    drop(server);
    // What an operator added keeps its permissions: open ones, and private ones.
    std::fs::create_dir_all(data.join("furniture")).map_err(|error| error.to_string())?;
    let operators = [("furniture/pieces.toml", 0o644), ("furniture/sofa.gltf", 0o600)];
    for (name, mode) in operators {
        std::fs::write(data.join(name), [7; 32]).map_err(|error| error.to_string())?;
        std::fs::set_permissions(data.join(name), Permissions::from_mode(mode)).map_err(|error| error.to_string())?;
    }
    let place = backup.to_str().unwrap_or_default();
    command(&["backup", place], &data)?;
    command(&["restore", place], &restored)?;
    modes.extend(modes_in(&backup));
    modes.extend(modes_in(&restored));
    let expected = |path: &Path| operators.iter().find(|(name, _)| path.ends_with(name)).map(|(_, mode)| *mode);
    let is_wrong = |(path, mode): &(&PathBuf, &u32)| match expected(path) {
        Some(expected) => **mode != expected,
        None => **mode & 0o077 != 0 && !path.ends_with("furniture"),
    };
    let wrong = modes.iter().filter(is_wrong).map(|(path, mode)| format!("{} {mode:03o}", path.display()));
    Ok((modes.len(), wrong.collect()))
}

fn parsed(output: &Output) -> Result<Value, String> {
    match output.status.success() {
        true => serde_json::from_slice(&output.stdout).map_err(|error| error.to_string()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// The permissions of a folder and everything in it, by path relative to the folder above.
fn modes_in(folder: &Path) -> BTreeMap<PathBuf, u32> {
    let (mut modes, mut paths) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(path) = paths.pop() {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        if metadata.is_dir() {
            paths.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
        let name = folder.parent().and_then(|above| path.strip_prefix(above).ok()).unwrap_or(&path);
        modes.insert(name.to_owned(), metadata.permissions().mode() & 0o777);
    }
    modes
}

/// A PNG of one pixel.
fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(640u32.to_be_bytes());
    bytes.extend(480u32.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}
