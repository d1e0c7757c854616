//! Checking the Content Credentials of files in a child process, `aerie-sign`, which confines itself before it reads them.

use std::path::{Path, PathBuf};
use std::process::{Command as StdCommand, Stdio};
use std::time::Duration;

use aerie_api::{CredentialsCheck, Verifying};
use aerie_credentials::State;
use aerie_credentials::messages::Checked;
use aerie_storage::MediaStore;
use anyhow::{Context, bail, ensure};
use async_trait::async_trait;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::engine_child::{environment, sign_program};

/// Timeout of a child process, and of the wait for a turn.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of what a child prints, bytes.
const LONGEST_RESULT: u64 = 1 << 20;
/// Maximum number of children at once.
const AT_ONCE: usize = 2;
/// Longest name of a signer that is shown, characters.
const LONGEST_NAME: usize = 100;

/// Checks copies of stored files.
pub(crate) struct VerifyInChild {
    media: MediaStore,
    data_dir: PathBuf,
    /// Certificates of the signers that are trusted, PEM.
    trusted: Option<String>,
    /// Memory limit of a child in bytes.
    memory: u64,
    turns: Semaphore,
}

impl VerifyInChild {
    pub(crate) fn new(media: MediaStore, config: &Config, trusted: Option<String>) -> Self {
        let (data_dir, memory) = (config.data_dir.clone(), config.job_memory());
        Self { media, data_dir, trusted, memory, turns: Semaphore::new(AT_ONCE) }
    }

    async fn run(&self, key: &str) -> anyhow::Result<CredentialsCheck> {
        let _turn =
            tokio::time::timeout(TIMEOUT, self.turns.acquire()).await.context("too many files are waiting")??;
        let folder = tempfile::Builder::new().prefix("verify-").tempdir_in(&self.data_dir)?;
        let (file, trust) = (folder.path().join("file"), folder.path().join("trust.pem"));
        self.media.media_fetch(key, &file).await?;
        if let Some(pem) = &self.trusted {
            tokio::fs::write(&trust, pem).await?;
        }
        let trust = self.trusted.as_ref().map(|_| trust.as_path());
        let mut command = Command::from(verify_command(&file, trust, self.memory)?);
        command.env_clear().envs(environment(folder.path())).current_dir(folder.path());
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
        verdict(serde_json::from_slice(&result)?)
    }
}

/// The command that checks a file, confined; its result is a [`Checked`] on stdout.
///
/// # Errors
/// When the program is not installed.
pub(crate) fn verify_command(file: &Path, trust: Option<&Path>, memory: u64) -> std::io::Result<StdCommand> {
    let mut command = StdCommand::new(sign_program()?);
    command.arg("verify").arg("--memory").arg(memory.to_string());
    if let Some(trust) = trust {
        command.arg("--trust").arg(trust);
    }
    command.arg("--").arg(file);
    Ok(command)
}

/// What is shown of a report.
fn verdict(checked: Checked) -> anyhow::Result<CredentialsCheck> {
    let report = match checked {
        Checked::Report(report) => report,
        Checked::None => return Ok(CredentialsCheck::None),
        Checked::Damaged(_) => return Ok(CredentialsCheck::Invalid),
        Checked::Failed(why) => bail!(why),
    };
    let name = report.signer.and_then(|signer| signer.name.or(signer.organization));
    let name = name.map(|name| name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect());
    Ok(match report.state {
        State::Trusted => CredentialsCheck::Trusted(name),
        State::Valid => CredentialsCheck::Valid(name),
        State::Changed => CredentialsCheck::Changed,
        State::Invalid => CredentialsCheck::Invalid,
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
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn every_state_of_a_report_has_a_meaning_and_others_are_errors() {
        let report = |state: &str| {
            let signer = json!({"name": "Aerie\n", "organization": null, "serial_number": null, "time": null});
            from_value(json!({"report": {"state": state, "signer": signer, "generator": null, "title": null,
                "actions": [], "ingredients": [], "disclosure": null, "problems": []}}))
        };
        let name = Some("Aerie".to_owned());
        for (state, expected) in [
            ("trusted", CredentialsCheck::Trusted(name.clone())),
            ("valid", CredentialsCheck::Valid(name)),
            ("changed", CredentialsCheck::Changed),
            ("invalid", CredentialsCheck::Invalid),
        ] {
            assert_eq!(verdict(report(state).unwrap()).unwrap(), expected);
        }
        assert!(report("good").is_err());
        assert_eq!(verdict(Checked::None).unwrap(), CredentialsCheck::None);
        assert_eq!(verdict(Checked::Damaged("cut off".to_owned())).unwrap(), CredentialsCheck::Invalid);
        assert!(verdict(Checked::Failed("no file".to_owned())).is_err());
    }
}
