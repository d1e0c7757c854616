//! Checking the Content Credentials of stored media in a child process of the server, which confines itself before it reads them.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use aerie_api::{CredentialsCheck, Verifying};
use aerie_storage::MediaStore;
use anyhow::{Context, bail, ensure};
use async_trait::async_trait;
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::engine_child::{environment, this_program};

/// Timeout of a child process, and of the wait for a turn.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of what a child prints, bytes.
const LONGEST_RESULT: u64 = 1 << 20;
/// Maximum number of children at once.
const AT_ONCE: usize = 2;
/// Longest name of a signer that is shown, characters.
const LONGEST_NAME: usize = 100;

/// Runs `aerie verify` on copies of files.
pub(crate) struct VerifyInChild {
    media: MediaStore,
    data_dir: PathBuf,
    /// Certificates of the signers that are trusted, PEM.
    trusted: Option<String>,
    turns: Semaphore,
}

impl VerifyInChild {
    pub(crate) fn new(media: MediaStore, data_dir: &Path, trusted: Option<String>) -> Self {
        Self { media, data_dir: data_dir.to_owned(), trusted, turns: Semaphore::new(AT_ONCE) }
    }

    async fn run(&self, key: &str) -> anyhow::Result<CredentialsCheck> {
        let _turn =
            tokio::time::timeout(TIMEOUT, self.turns.acquire()).await.context("too many files are waiting")??;
        let folder = tempfile::Builder::new().prefix("verify-").tempdir_in(&self.data_dir)?;
        let (file, trust) = (folder.path().join("file"), folder.path().join("trust.pem"));
        self.media.media_fetch(key, &file).await?;
        let mut command = Command::new(this_program());
        command.arg0("aerie").env_clear().envs(environment(folder.path())).current_dir(folder.path());
        command.args(["--json", "verify"]).arg(&file);
        if let Some(pem) = &self.trusted {
            tokio::fs::write(&trust, pem).await?;
            command.arg("--trust").arg(&trust);
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let mut stdout = child.stdout.take().context("no pipe to the child")?.take(LONGEST_RESULT + 1);
        let mut result = Vec::new();
        let read = async {
            stdout.read_to_end(&mut result).await?;
            // So that a child that prints more ends.
            drop(stdout);
            child.wait().await
        };
        tokio::time::timeout(TIMEOUT, read).await.context("checking takes too long")??;
        ensure!(result.len() as u64 <= LONGEST_RESULT, "the child printed too much");
        verdict(&serde_json::from_slice(&result)?)
    }
}

/// What the report of `aerie verify --json` means.
fn verdict(report: &Value) -> anyhow::Result<CredentialsCheck> {
    let name = report["signer"]["name"].as_str().or_else(|| report["signer"]["organization"].as_str());
    let name = name.map(|name| name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect());
    Ok(match report["state"].as_str() {
        Some("none") => CredentialsCheck::None,
        Some("trusted") => CredentialsCheck::Trusted(name),
        Some("valid") => CredentialsCheck::Valid(name),
        Some("changed") => CredentialsCheck::Changed,
        Some("invalid") => CredentialsCheck::Invalid,
        _ => bail!("the report has no state"),
    })
}

#[async_trait]
impl Verifying for VerifyInChild {
    async fn verify(&self, key: &str) -> CredentialsCheck {
        self.run(key).await.unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), key, "cannot check Content Credentials");
            CredentialsCheck::Unknown
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_state_of_a_report_has_a_meaning_and_others_are_errors() {
        let signed = json!({"state": "trusted", "signer": {"name": "Aerie\n", "organization": null}});
        assert_eq!(verdict(&signed).unwrap(), CredentialsCheck::Trusted(Some("Aerie".into())));
        assert_eq!(verdict(&json!({"state": "valid"})).unwrap(), CredentialsCheck::Valid(None));
        for (state, expected) in [
            ("none", CredentialsCheck::None),
            ("changed", CredentialsCheck::Changed),
            ("invalid", CredentialsCheck::Invalid),
        ] {
            assert_eq!(verdict(&json!({"state": state})).unwrap(), expected);
        }
        assert!(verdict(&json!({"state": "good"})).is_err() && verdict(&json!({})).is_err());
    }
}
