//! Landlock: files, TCP ports and signals.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, NetPort, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};

use crate::confinement::Confinement;
use crate::support::{NO_LANDLOCK, landlock_version};
use crate::system;

/// Version of Landlock whose rules are used. Older kernels enforce those that they know.
const VERSION: ABI = ABI::V6;

/// Port of name resolution, for answers that are too long for UDP.
const DNS: u16 = 53;

/// Restricts this thread; returns the kernel's version of Landlock, or why nothing is in force.
pub(crate) fn restrict(confinement: &Confinement) -> Result<u32, String> {
    let version = landlock_version();
    if version == 0 {
        return Err(NO_LANDLOCK.to_owned());
    }
    enforce(confinement).map_err(|error| error.to_string())?;
    Ok(version)
}

fn enforce(confinement: &Confinement) -> Result<(), RulesetError> {
    let read: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = read
        | AccessFs::WriteFile
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::Truncate
        | AccessFs::Refer;
    let device = read | AccessFs::WriteFile | AccessFs::IoctlDev;
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules(system::READ, read))?
        .add_rules(path_beneath_rules(std::env::current_exe(), read))?
        .add_rules(path_beneath_rules(&confinement.read, read))?
        .add_rules(path_beneath_rules(&confinement.write, write))?
        .add_rules(path_beneath_rules(system::DEVICES, device))?;
    if confinement.graphics {
        rules = rules
            .add_rules(path_beneath_rules(system::GRAPHICS_READ, read))?
            .add_rules(path_beneath_rules(system::graphics_devices(), device))?;
    }
    if !confinement.execute.is_empty() {
        let execute: BitFlags<AccessFs> = read | AccessFs::Execute;
        let programs = confinement.execute.iter().filter(|path| is_absolute(path));
        rules = rules
            .add_rules(path_beneath_rules(programs, execute))?
            .add_rules(path_beneath_rules(system::program_loaders(), execute))?;
    }
    if !confinement.ports.is_empty() {
        rules = rules.add_rules(path_beneath_rules(system::NETWORK_READ, read))?;
        for port in confinement.ports.iter().copied().chain([DNS]) {
            rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
        }
    }
    rules.restrict_self()?;
    Ok(())
}

/// A relative path would name another program after a change of the working directory.
fn is_absolute(path: &Path) -> bool {
    path.is_absolute()
}
