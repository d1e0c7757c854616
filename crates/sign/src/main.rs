//! `aerie-sign`: run by `aerie`, which installs it beside itself. Confines itself before it reads any file.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use aerie_confinement::{Confinement, Parent};
use aerie_credentials::messages::{Checked, Message, Reply, Request, VERSION, Verified};
use aerie_sign::{ReadError, SignError, embed, try_out, verify};
use anyhow::{Context, ensure};
use clap::Parser;
use serde::Deserialize;

/// Embeds Content Credentials in files and verifies them, as a program that `aerie` runs.
#[derive(Parser)]
#[command(name = "aerie-sign", version)]
enum Command {
    /// Sign the files that a request on stdin lists; the caller keeps the key
    Sign {
        /// Data folder, not used: it shows in lists of processes what this one belongs to
        #[arg(long)]
        data: Option<PathBuf>,
    },
    /// Check a file, and print what its Content Credentials say as JSON
    Verify {
        file: PathBuf,
        /// Trust the signers of authorities whose certificates are on stdin, PEM
        #[arg(long)]
        trust: bool,
        /// Memory limit, bytes
        #[arg(long)]
        memory: Option<u64>,
    },
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Sign { data: _ } => sign_files(),
        Command::Verify { file, trust, memory } => {
            let trusted = trust.then(|| std::io::read_to_string(std::io::stdin())).transpose();
            let trusted = trusted.context("cannot read the certificates")?;
            // The file may be a stranger's.
            Confinement { read: vec![file.clone()], memory, ..Confinement::default() }.apply()?;
            let checked = match verify(&file, trusted.as_deref()) {
                Ok(report) => Checked::Report(Box::new(report)),
                Err(ReadError::None) => Checked::None,
                Err(ReadError::Remote(url)) => Checked::Remote(url),
                Err(error @ ReadError::Damaged(_)) => Checked::Damaged(error.to_string()),
                Err(error @ (ReadError::Trust(_) | ReadError::File(_))) => Checked::Failed(error.to_string()),
            };
            send(&Verified { version: VERSION.to_owned(), checked })
        }
    }
}

/// What requests of every version have.
#[derive(Deserialize)]
struct Caller {
    version: String,
}

fn sign_files() -> anyhow::Result<()> {
    aerie_confinement::close_inherited_files();
    let mut stdin = std::io::stdin().lock();
    let mut line = String::new();
    stdin.read_line(&mut line).context("cannot read the request")?;
    // First, as a request of another version may be of another form.
    let Caller { version } = serde_json::from_str(&line).context("cannot read the request")?;
    ensure!(version == VERSION, "aerie is version {version}, and aerie-sign is {VERSION}");
    let request: Request = serde_json::from_str(&line).context("cannot read the request")?;
    ensure!(Parent::of(request.worker).die_with(), "the worker has ended");
    let ingredients = request.files.iter().flat_map(|file| &file.statement.ingredients);
    let confinement = Confinement {
        read: ingredients.map(|ingredient| ingredient.path.clone()).collect(),
        write: vec![request.out_dir.clone(), request.temp_dir.clone()],
        memory: Some(request.memory),
        ..Confinement::default()
    };
    // Before anything of the job is read.
    confinement.apply()?;
    let stdin = Mutex::new(stdin);
    let sign = |claim: &[u8]| -> Result<Vec<u8>, SignError> {
        let failed = |error: String| SignError(format!("the worker does not sign: {error}"));
        send(&Message::Sign(claim.to_vec())).map_err(|error| failed(error.to_string()))?;
        let mut line = String::new();
        let mut stdin = stdin.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        stdin.read_line(&mut line).map_err(|error| failed(error.to_string()))?;
        let Reply(signature) = serde_json::from_str(&line).map_err(|error| failed(error.to_string()))?;
        Ok(signature)
    };
    if request.is_trial {
        send(&Message::Ended(try_out(&request.certificate, &sign).err()))?;
    }
    for file in &request.files {
        let signed = embed(&file.path, &file.statement, &request.certificate, &sign);
        send(&Message::Ended(signed.err().map(|error| error.to_string())))?;
    }
    Ok(())
}

fn send(message: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    Ok(stdout.flush()?)
}
