//! Backups, interrupted ones and those of earlier builds, lost databases, and who may read what is created.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use aerie_e2e::campaigns::Tenant;
use aerie_e2e::{aerie, run, run_json, with_umask};
use aerie_storage::EARLIER_BUILD;
use aerie_storage_sqlite::testing::mark_earlier_build;
use serde_json::{Value, json};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[track_caller]
fn assert_refused(output: &Output, reason: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(reason), "{stderr}");
}

/// A data folder with an organization, a key and furniture, and its backup.
fn backed_up(folder: &Path) -> Tenant {
    let tenant = Tenant::new(&folder.join("data"), "");
    fs::create_dir(tenant.data.join("furniture")).unwrap();
    fs::write(tenant.data.join("furniture/pieces.toml"), "").unwrap();
    assert_eq!(run_json(&["backup", folder.join("backup").to_str().unwrap()], &tenant.data)["keys"], 1);
    tenant
}

#[test]
fn an_intact_backup_passes_and_one_without_a_manifest_did_not_finish() {
    let folder = tempfile::tempdir().unwrap();
    let _tenant = backed_up(folder.path());
    let (backup, new) = (folder.path().join("backup"), folder.path().join("new"));
    let verify =
        |arguments: &[&str]| run(&[&["backup", "--verify", backup.to_str().unwrap()], arguments].concat(), &new);
    let report: Value = serde_json::from_slice(&verify(&["--json"]).stdout).unwrap();
    assert_eq!(report, json!({"ok": true, "files": 2, "faults": []}));
    let passed = verify(&[]);
    assert!(passed.status.success(), "{passed:?}");
    assert!(String::from_utf8_lossy(&passed.stdout).contains("is intact: 2 files"), "{passed:?}");

    let manifest: Value = serde_json::from_slice(&fs::read(backup.join("backup.json")).unwrap()).unwrap();
    for count in ["jobs", "organizations", "keys", "usage_events"] {
        let expected = u64::from(matches!(count, "organizations" | "keys"));
        assert_eq!(manifest[count], expected, "{count}");
    }
    assert_eq!((&manifest["format"], &manifest["application_id"]), (&json!(3), &json!(0x4165_7231)));
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(
        files.iter().map(|file| file["path"].as_str().unwrap()).collect::<Vec<_>>(),
        ["aerie.db", "data/furniture/pieces.toml"]
    );
    assert!(files.iter().all(|file| file["sha256"].as_str().unwrap().len() == 64), "{manifest}");

    fs::remove_file(backup.join("backup.json")).unwrap();
    assert_refused(&verify(&[]), "backup.json is missing: this is not a backup, or the backup did not finish");
    assert_refused(&run(&["restore", backup.to_str().unwrap()], &new), "the backup did not finish");
    assert!(!new.exists(), "nothing is created");
}

#[test]
fn a_backup_has_the_published_packs_and_not_the_copies_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    let tenant = Tenant::new(&folder.path().join("data"), "");
    let (maps, backup, new) = (folder.path().join("maps"), folder.path().join("backup"), folder.path().join("new"));
    fs::create_dir_all(maps.join("pack")).unwrap();
    fs::write(maps.join("pack/region.gpkg"), "a map").unwrap();
    let published = run_json(&["pack", "publish", "--from", maps.to_str().unwrap()], &tenant.data);
    let pack = published["pack"].as_str().unwrap();
    let copy = tenant.data.join("packs").join(pack);
    fs::create_dir_all(&copy).unwrap();
    fs::write(copy.join("manifest.json"), "").unwrap();
    let report = run_json(&["backup", backup.to_str().unwrap()], &tenant.data);
    assert_eq!(report["media_files"], 2, "{report}");
    assert!(run(&["backup", "--verify", backup.to_str().unwrap()], &new).status.success());
    let _ = run_json(&["restore", backup.to_str().unwrap()], &new);
    assert_eq!(run_json(&["pack", "list"], &new)[0]["status"], "current");
    assert!(!new.join("packs").exists());
    // Everything is there: nothing has to be sent.
    let again = run_json(&["pack", "publish", "--from", maps.to_str().unwrap()], &new);
    assert_eq!((again["pack"].as_str(), again["sent_files"].as_u64()), (Some(pack), Some(0)));
}

#[test]
fn every_command_refuses_a_database_or_backup_of_a_build_before_0_1_0_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let tenant = backed_up(folder.path());
    let (backup, new) = (folder.path().join("backup"), folder.path().join("new"));
    let (backup, other) = (backup.to_str().unwrap(), folder.path().join("other"));
    // As those builds left it, whatever their version.
    mark_earlier_build(&tenant.database()).unwrap();
    let before = fs::read(tenant.database()).unwrap();
    let commands: [&[&str]; 5] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["worker"],
        &["admin", "org", "list"],
        &["backup", other.to_str().unwrap()],
        &["migrate", "--to", "postgres://nobody@127.0.0.1:9/none"],
    ];
    for command in commands {
        assert_refused(&run(command, &tenant.data), &format!("the database {EARLIER_BUILD}"));
    }
    let findings: Value = serde_json::from_slice(&run(&["doctor", "--json"], &tenant.data).stdout).unwrap();
    let finding =
        findings["findings"].as_array().unwrap().iter().find(|finding| finding["what"] == "database").unwrap();
    assert_eq!((&finding["ok"], &finding["remedy"]), (&json!(false), &Value::Null));
    assert!(finding["found"].as_str().unwrap().ends_with(EARLIER_BUILD), "{finding}");
    assert_eq!(fs::read(tenant.database()).unwrap(), before);
    assert!(!other.exists());

    for manifest in [json!({"version": "0.1.0", "jobs": 0}), json!({"format": 2, "version": "0.1.0", "jobs": 0})] {
        fs::write(Path::new(backup).join("backup.json"), manifest.to_string()).unwrap();
        for command in [&["restore", backup][..], &["backup", "--verify", backup]] {
            assert_refused(&run(command, &new), &format!("backup.json {EARLIER_BUILD}"));
        }
        assert!(!new.exists());
    }
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let tenant = Tenant::new(&folder.path().join("data"), "");
    for arguments in [&["admin", "usage", "--csv"][..], &["admin", "org", "list", "--json"], &["admin", "key", "list"]]
    {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let command = Command::new(aerie()).args(arguments).arg("--data").arg(&tenant.data).stdout(full).output();
        assert_refused(&command.unwrap(), "cannot write the result to stdout");
    }
}

#[test]
fn a_backup_is_not_written_into_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let tenant = Tenant::new(&folder.path().join("data"), "");
    let within = tenant.data.join("backups/today");
    assert_refused(&run(&["backup", within.to_str().unwrap()], &tenant.data), "is in the data folder");
    assert!(!tenant.data.join("backups").exists());
}

#[test]
fn a_lost_or_emptied_database_is_not_replaced_by_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let tenant = Tenant::new(&folder.path().join("data"), "");
    fs::write(tenant.database(), "").unwrap();
    assert_refused(&run(&["admin", "org", "list"], &tenant.data), "the database is corrupt");
    fs::create_dir_all(tenant.data.join("media").join(&tenant.org)).unwrap();
    fs::remove_file(tenant.database()).unwrap();
    for arguments in [&["admin", "org", "list"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        assert_refused(&run(arguments, &tenant.data), "is lost or corrupt");
    }
    assert!(!tenant.database().exists());
    fs::remove_dir_all(tenant.data.join("media")).unwrap();
    assert_eq!(run_json(&["admin", "org", "list"], &tenant.data), json!([]));
}

#[test]
fn a_data_folder_shared_with_its_group_stays_shared_and_others_get_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o750)).unwrap();
    let create = |name: &str| {
        let created = with_umask("002").args(["admin", "org", "create", name, "--data"]).arg(&data).output().unwrap();
        assert!(created.status.success(), "{created:?}");
    };
    create("Acme");
    assert_eq!((mode(&data), mode(&data.join("media")), mode(&data.join("aerie.db"))), (0o750, 0o770, 0o600));
    fs::remove_dir(data.join("media")).unwrap();
    // Open to everyone: not a choice that the operator made for the group.
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    create("Other");
    assert_eq!((mode(&data), mode(&data.join("media"))), (0o755, 0o700));
}
