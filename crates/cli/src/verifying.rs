//! Checking the Content Credentials of files in a child process, `aerie-sign`, which confines itself before it reads them.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use aerie_api::{CredentialsCheck, Verifying};
use aerie_confinement::environment;
use aerie_credentials::State;
use aerie_credentials::messages::{Checked, VERSION, Verified};
use aerie_storage::MediaStore;
use anyhow::{Context, bail, ensure};
use async_trait::async_trait;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::engine_child::{printed, sign_program};

/// Timeout of a child process, and of the wait for a turn.
const TIMEOUT: Duration = Duration::from_secs(10);
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
        let file = folder.path().join("file");
        self.media.media_fetch(key, &file).await?;
        let checked = check(&file, self.trusted.as_deref(), self.memory, folder.path());
        verdict(tokio::time::timeout(TIMEOUT, checked).await.context("checking takes too long")??)
    }
}

/// Checks a file in a confined child, which ends when the result is dropped. `trusted` are certificates of authorities, PEM; temporary files
/// are written to `temp`.
///
/// # Errors
/// When the program is not installed or of another version, or ends without a result.
pub(crate) async fn check(file: &Path, trusted: Option<&str>, memory: u64, temp: &Path) -> anyhow::Result<Checked> {
    let mut command = Command::new(sign_program()?);
    command.arg("verify").arg("--memory").arg(memory.to_string());
    if trusted.is_some() {
        command.arg("--trust");
    }
    command.arg("--").arg(file).env_clear().envs(environment(temp));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn()?;
    let mut stdin = child.stdin.take().context("no pipe to the child")?;
    // A child that does not read them has died, which its exit status says.
    let _ = stdin.write_all(trusted.unwrap_or_default().as_bytes()).await;
    drop(stdin);
    let Verified { version, checked } = printed(child).await?;
    ensure!(version == VERSION, "aerie-sign is version {version}, and aerie is {VERSION}");
    Ok(checked)
}

/// Returns what a page shows of a report.
fn verdict(checked: Checked) -> anyhow::Result<CredentialsCheck> {
    let report = match checked {
        Checked::Report(report) => report,
        Checked::None => return Ok(CredentialsCheck::None),
        Checked::Remote(_) => return Ok(CredentialsCheck::Unknown),
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
            from_value::<Checked>(json!({"report": {"state": state, "signer": signer, "generator": null, "title": null,
                "actions": [], "ingredients": [], "disclosure": null, "problems": []}}))
        };
        let name = Some("Aerie".to_owned());
        for (state, expected) in [
            ("trusted", CredentialsCheck::Trusted(name.clone())),
            ("valid", CredentialsCheck::Valid(name.clone())),
            ("changed", CredentialsCheck::Changed),
            ("invalid", CredentialsCheck::Invalid),
        ] {
            assert_eq!(verdict(report(state).unwrap()).unwrap(), expected);
        }
        assert!(report("good").is_err());
        let Ok(Checked::Report(mut unnamed)) = report("valid") else { panic!("no report") };
        unnamed.signer = None;
        assert_eq!(verdict(Checked::Report(unnamed)).unwrap(), CredentialsCheck::Valid(None));
        assert_eq!(verdict(Checked::None).unwrap(), CredentialsCheck::None);
        let remote = Checked::Remote("https://credentials.example.com/1".to_owned());
        assert_eq!(verdict(remote).unwrap(), CredentialsCheck::Unknown);
        assert_eq!(verdict(Checked::Damaged("cut off".to_owned())).unwrap(), CredentialsCheck::Invalid);
        assert!(verdict(Checked::Failed("no file".to_owned())).is_err());
    }
}
