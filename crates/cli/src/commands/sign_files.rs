//! `aerie sign-files`: embeds Content Credentials in the files of one job, as a child process of a worker. Reads a [`Request`] from stdin,
//! confines itself, and asks the worker, which has the key, for signatures.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use aerie_confinement::{Confinement, Parent};
use aerie_credentials::{SignError, embed};
use anyhow::{Context, ensure};

use crate::signing::messages::{Message, Reply, Request};

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    let mut stdin = std::io::stdin().lock();
    let mut line = String::new();
    stdin.read_line(&mut line).context("cannot read the request")?;
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
        match serde_json::from_str(&line).map_err(|error| failed(error.to_string()))? {
            Reply::Signature(signature) => Ok(signature),
            Reply::Refused(why) => Err(failed(why)),
        }
    };
    for file in &request.files {
        let signed = embed(&file.path, &file.statement, &request.certificate, &sign);
        send(&Message::Ended(signed.err().map(|error| error.to_string())))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn send(message: &Message) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    Ok(stdout.flush()?)
}
