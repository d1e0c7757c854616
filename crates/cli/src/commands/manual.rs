//! Man pages and shell completions.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;

/// Writes a man page per command into a folder, or the main page to stdout.
pub(super) fn man(folder: Option<&Path>) -> anyhow::Result<ExitCode> {
    let command = Arguments::command();
    match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .with_context(|| format!("cannot write man pages to {}", folder.display()))?;
        }
        None => clap_mangen::Man::new(command).render(&mut std::io::stdout())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes shell completions to stdout.
pub(super) fn completions(shell: Shell) -> ExitCode {
    clap_complete::generate(shell, &mut Arguments::command(), "aerie", &mut std::io::stdout());
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_command_has_a_man_page_and_completions_in_every_shell() {
        let folder = tempfile::tempdir().unwrap();
        man(Some(folder.path())).unwrap();
        for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            let page = std::fs::read_to_string(folder.path().join(format!("aerie-{name}.1"))).expect(name);
            assert!(page.contains("NAME"), "{page}");
            for shell in Shell::value_variants() {
                let mut written = Vec::new();
                clap_complete::generate(*shell, &mut Arguments::command(), "aerie", &mut written);
                assert!(String::from_utf8(written).unwrap().contains(name), "{shell} does not know {name}");
            }
        }
    }
}
