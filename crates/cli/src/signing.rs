//! Who signs the Content Credentials of files: the operator, or the authority of this installation. They are embedded by a confined
//! child process, `aerie-sign`, because this reads strangers' pictures; the private key stays here.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use aerie_credentials::messages::{Message, Reply, Request, ToSign, VERSION};
use aerie_credentials::{Authority, Certificate, Identity, IdentityError};
use aerie_engine_api::Cancel;
use aerie_storage::{AuthoritySecret, MaintenanceStore};
use aerie_worker::{Signed, Signing};
use anyhow::Context;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::config::Config;
use crate::data::Data;
use crate::engine_child::lines::{read_lines, relay_to_log};
use crate::engine_child::process::EngineProcess;
use crate::engine_child::{check_signer, sign_program, without_secrets};

/// Interval between checks for cancellation.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Length of a message of the child in bytes: a claim to sign, or one line per file.
const LONGEST_MESSAGE: u64 = 1 << 20;
/// How long a child may take from one message to the next. Then the job is published without what is missing.
const PATIENCE: Duration = Duration::from_secs(120);
/// Length of a reason in characters.
const LONGEST_REASON: usize = 500;

/// Who signs.
pub(crate) enum Signer {
    /// The operator, with these files; they are read for each job, so that they can be replaced at any time.
    Operator { certificate: PathBuf, key: PathBuf },
    /// A certificate that the authority of this installation has issued to this process.
    Own(Arc<Identity>),
}

impl Signer {
    /// Returns who signs. Makes the authority of this installation if it is needed and there is none.
    pub(crate) async fn open(config: &Config, store: &dyn MaintenanceStore) -> anyhow::Result<Self> {
        match Self::operator(config) {
            Some(operator) => Ok(operator),
            None => Ok(Self::Own(Arc::new(authority(store).await?.issue(current_year())?))),
        }
    }

    /// The operator, if the configuration names a certificate.
    fn operator(config: &Config) -> Option<Self> {
        let (certificate, key) = config.credentials.files()?;
        Some(Self::Operator { certificate: certificate.to_owned(), key: key.to_owned() })
    }

    /// The certificate and key with which to sign now.
    fn identity(&self) -> Result<Arc<Identity>, String> {
        match self {
            Self::Own(identity) => Ok(Arc::clone(identity)),
            Self::Operator { certificate, key } => {
                Identity::read(certificate, key).map(Arc::new).map_err(|error| format!("[credentials]: {error}"))
            }
        }
    }

    /// Formats the error of a failed trial.
    fn unfit(&self, why: String) -> String {
        match self {
            Self::Own(_) => why,
            Self::Operator { certificate, key } => {
                let (certificate, key) = (certificate.clone(), key.clone());
                format!("[credentials]: {}", IdentityError::Unfit { certificate, key, why })
            }
        }
    }
}

/// Signs with the certificate and key of the configuration or of this installation, after a trial. Opens the database only if the
/// configuration names none.
pub(crate) fn local(config: &Config) -> anyhow::Result<ConfinedSigning> {
    let signer = match Signer::operator(config) {
        Some(operator) => operator,
        None => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async { Signer::open(config, &*Data::open(config).await?.store).await })?
        }
    };
    let signing = ConfinedSigning { signer, data_dir: config.data_dir.clone(), memory: config.job_memory() };
    signing.check().map_err(anyhow::Error::msg)?;
    Ok(signing)
}

/// Checks the operator's certificate and key, if the configuration names them.
pub(crate) fn check_operator(config: &Config) -> Result<(), String> {
    let Some(signer) = Signer::operator(config) else { return Ok(()) };
    ConfinedSigning { signer, data_dir: config.data_dir.clone(), memory: config.job_memory() }.check()
}

/// The certificate, PEM, by which others verify what this installation signs.
pub(crate) async fn certificate(config: &Config, store: &dyn MaintenanceStore) -> anyhow::Result<String> {
    match Signer::operator(config) {
        Some(operator) => {
            let certificate = operator.identity().map_err(anyhow::Error::msg)?.certificate().clone();
            let highest = certificate.chain.last().cloned().into_iter().collect();
            Ok(Certificate { chain: highest, ..certificate }.pem())
        }
        None => Ok(authority(store).await?.certificate().to_owned()),
    }
}

/// The certificate authority of this installation, the same in all processes on its database.
async fn authority(store: &dyn MaintenanceStore) -> anyhow::Result<Authority> {
    let proposed = AuthoritySecret::new(Authority::generate(current_year())?.to_pem());
    let kept =
        store.authority_init(&proposed).await.context("cannot store the authority of the Content Credentials")?;
    Ok(Authority::from_pem(kept.reveal())?)
}

fn current_year() -> i32 {
    Timestamp::now().to_zoned(TimeZone::UTC).year().into()
}

/// Signs in confined children.
pub(crate) struct ConfinedSigning {
    pub(crate) signer: Signer,
    pub(crate) data_dir: PathBuf,
    /// Memory limit of a child in bytes.
    pub(crate) memory: u64,
}

impl Signing for ConfinedSigning {
    fn sign(&self, files: &[ToSign], cancel: &Cancel) -> Result<Signed, String> {
        let complain = |error: String| {
            tracing::error!(error, "the certificate that signs cannot be used");
            // Clients read this: no names of the server's files.
            "the certificate that signs cannot be used; the log of the worker says why".to_owned()
        };
        let identity = self.signer.identity().map_err(complain)?;
        let Some(out_dir) = files.first().and_then(|file| file.path.parent()) else {
            return Ok(Signed { signer: identity.name().to_owned(), failures: Vec::new() });
        };
        let mut reported = Vec::new();
        let ended = self.run((files, out_dir), &identity, (&mut reported, cancel));
        let failures = outcome(ended, reported, files.len(), self.needs_trial());
        let failures = failures.map_err(|why| complain(self.signer.unfit(why)))?;
        Ok(Signed { signer: identity.name().to_owned(), failures })
    }
}

impl ConfinedSigning {
    /// Checks that files can be signed.
    pub(crate) fn check(&self) -> Result<(), String> {
        check_signer()?;
        let identity = self.signer.identity()?;
        if !self.needs_trial() {
            return Ok(());
        }
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let mut failures = Vec::new();
        self.run((&[], &folder.path().join("out")), &identity, (&mut failures, &Cancel::default()))?;
        failures.into_iter().flatten().next().map_or(Ok(()), |why| Err(self.signer.unfit(why)))
    }

    /// Returns whether the certificate is tried out: that of an operator may have expired, or be for other uses.
    fn needs_trial(&self) -> bool {
        matches!(self.signer, Signer::Operator { .. })
    }

    fn run(
        &self,
        (files, out_dir): (&[ToSign], &Path),
        identity: &Identity,
        (failures, cancel): (&mut Vec<Option<String>>, &Cancel),
    ) -> Result<(), String> {
        let text = |error: std::io::Error| error.kind().to_string();
        let program = sign_program().map_err(|error| {
            tracing::error!(%error, "nothing can be signed");
            "the program that signs is not installed".to_owned()
        })?;
        let temp_dir = out_dir.with_file_name("tmp");
        std::fs::create_dir_all(&temp_dir).map_err(text)?;
        let request = Request {
            version: VERSION.to_owned(),
            worker: std::process::id().cast_signed(),
            is_trial: self.needs_trial(),
            files: files.to_vec(),
            certificate: identity.certificate().clone(),
            out_dir: out_dir.to_owned(),
            temp_dir,
            memory: self.memory,
        };
        let mut first = serde_json::to_vec(&request).map_err(|error| error.to_string())?;
        first.push(b'\n');
        let mut command = Command::new(program);
        // The folder is not used; it shows in lists of processes what the child belongs to.
        command.arg("sign").arg("--data").arg(&self.data_dir).current_dir(&request.temp_dir).stderr(Stdio::piped());
        let mut child = EngineProcess::start(without_secrets(&mut command, &request.temp_dir)).map_err(text)?;
        let (stdin, stdout, stderr) = child.take_pipes();
        let mut stdin = stdin.ok_or("the process has no input")?;
        let (sender, received) = mpsc::sync_channel(2);
        let span = tracing::Span::current();
        std::thread::scope(|scope| {
            scope.spawn(move || read_lines(stdout, LONGEST_MESSAGE, |line| sender.send(line).is_ok()));
            let complaints = scope.spawn(move || span.in_scope(|| relay_to_log(stderr, tracing::Level::WARN)));
            // A child that does not read it has died, which its last words in the log say.
            let _ = stdin.write_all(&first);
            let wanted = files.len() + usize::from(request.is_trial);
            let ended = answer((&received, &mut stdin), identity, wanted, (failures, cancel));
            drop((received, stdin));
            child.end(false);
            let _ = complaints.join();
            ended
        })
    }
}

/// Returns for each of `files` why it was not signed, if it was not: from what the child `reported`, in order, and how its run `ended`.
///
/// # Errors
/// When the trial of the certificate failed: the reason.
fn outcome(
    ended: Result<(), String>,
    mut reported: Vec<Option<String>>,
    files: usize,
    is_trial: bool,
) -> Result<Vec<Option<String>>, String> {
    // A run that ends before the trial says nothing about the certificate.
    if is_trial
        && !reported.is_empty()
        && let Some(why) = reported.remove(0)
    {
        return Err(why);
    }
    if let Err(why) = ended {
        reported.resize(files, Some(format!("signing failed: {why}")));
    }
    let short = |why: String| why.chars().take(LONGEST_REASON).collect();
    Ok(reported.into_iter().map(|failure| failure.map(short)).collect())
}

/// Signs what the child asks for, until it has finished with all files. Adds what it reports about each file.
fn answer(
    (received, stdin): (&mpsc::Receiver<Vec<u8>>, &mut impl Write),
    identity: &Identity,
    files: usize,
    (failures, cancel): (&mut Vec<Option<String>>, &Cancel),
) -> Result<(), String> {
    // Each file is signed once.
    let (mut signed, mut heard) = (0, Instant::now());
    while failures.len() < files {
        if cancel.is_canceled() {
            return Err("canceled".to_owned());
        }
        let line = match received.recv_timeout(CANCEL_CHECK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) if heard.elapsed() < PATIENCE => continue,
            Err(RecvTimeoutError::Timeout) => return Err("it took too long".to_owned()),
            Err(RecvTimeoutError::Disconnected) => return Err("the process ended early".to_owned()),
        };
        heard = Instant::now();
        match serde_json::from_slice(&line).map_err(|error| error.to_string())? {
            Message::Sign(_) if signed > failures.len() => {
                return Err("the process asked for a second signature".to_owned());
            }
            Message::Sign(claim) => {
                signed = failures.len() + 1;
                send(stdin, &Reply(identity.sign(&claim))).map_err(|error| error.kind().to_string())?;
            }
            Message::Ended(failure) => failures.push(failure),
        }
    }
    Ok(())
}

fn send(to: &mut impl Write, message: &impl serde::Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known about two files after a child has sent `messages` and ended; also its replies.
    fn answered(messages: &[Message]) -> (Result<(), String>, Vec<Option<String>>, String) {
        let identity = Authority::generate(2026).unwrap().issue(2026).unwrap();
        let (sender, received) = mpsc::sync_channel(messages.len());
        messages.iter().for_each(|message| sender.send(serde_json::to_vec(message).unwrap()).unwrap());
        drop(sender);
        let (mut replies, mut failures) = (Vec::new(), Vec::new());
        let ended = answer((&received, &mut replies), &identity, 2, (&mut failures, &Cancel::default()));
        (ended, failures, String::from_utf8(replies).unwrap())
    }

    fn sign() -> Message {
        Message::Sign(b"claim".to_vec())
    }

    #[test]
    fn each_file_is_signed_once() {
        let (ended, failures, replies) = answered(&[sign(), Message::Ended(None), sign(), Message::Ended(None)]);
        assert_eq!((ended, failures), (Ok(()), vec![None, None]));
        assert_eq!(replies.lines().count(), 2, "{replies}");
        let (ended, failures, replies) = answered(&[sign(), sign(), Message::Ended(None)]);
        assert!(ended.unwrap_err().contains("second signature"));
        assert_eq!((failures, replies.lines().count()), (Vec::new(), 1));
    }

    #[test]
    fn only_a_failed_trial_is_blamed_on_the_certificate() {
        let (fine, expired) = (None, Some("it has expired".to_owned()));
        let of = |ended: Result<(), &str>, reported: &[&Option<String>]| {
            outcome(ended.map_err(str::to_owned), reported.iter().map(|one| (*one).clone()).collect(), 2, true)
        };
        assert_eq!(of(Ok(()), &[&fine, &fine, &fine]), Ok(vec![None, None]));
        assert_eq!(of(Ok(()), &[&expired, &fine, &fine]), Err("it has expired".to_owned()));
        let unsigned = Some("signing failed: canceled".to_owned());
        assert_eq!(of(Err("canceled"), &[]), Ok(vec![unsigned.clone(), unsigned.clone()]));
        assert_eq!(of(Err("canceled"), &[&fine, &fine]), Ok(vec![None, unsigned]));
    }

    #[test]
    fn files_that_were_signed_before_the_child_died_stay_signed() {
        let failure = Some("no storage space".to_owned());
        for first in [None, failure] {
            let (ended, failures, _) = answered(&[Message::Ended(first.clone())]);
            assert!(ended.unwrap_err().contains("ended early"));
            assert_eq!(failures, [first]);
        }
    }
}
