//! seccomp: system calls that decoders, drivers and encoders do not make, but that attacks do.
//!
//! The filter lists what is denied. A list of what is allowed would have to follow every version of the C library, of Mesa, of
//! drivers and of ffmpeg.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads, sock_filter,
};

use crate::confinement::Confinement;
use crate::process::own_id;

/// Denied to every confined process.
const DENIED: &[c_long] = &[
    // Other processes.
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // A process of another session would survive when the child is killed.
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_tkill,
    // Memory and messages shared with other processes.
    libc::SYS_mq_open,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmat,
    libc::SYS_shmget,
    // File systems and namespaces.
    libc::SYS_chroot,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_setns,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_umount2,
    libc::SYS_unshare,
    // Links, devices and handles, which lead out of the folders that may be written to.
    libc::SYS_fanotify_init,
    libc::SYS_linkat,
    libc::SYS_mknodat,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_symlinkat,
    // Parts of the kernel with many faults.
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_keyctl,
    libc::SYS_perf_event_open,
    libc::SYS_request_key,
    libc::SYS_userfaultfd,
    // The machine.
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_personality,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // Identity.
    libc::SYS_capset,
    libc::SYS_setfsgid,
    libc::SYS_setfsuid,
    libc::SYS_setgid,
    libc::SYS_setgroups,
    libc::SYS_setregid,
    libc::SYS_setresgid,
    libc::SYS_setresuid,
    libc::SYS_setreuid,
    libc::SYS_setuid,
];

/// Older forms of some of them.
#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[c_long] = &[
    libc::SYS_ioperm,
    libc::SYS_iopl,
    libc::SYS_link,
    libc::SYS_mknod,
    libc::SYS_modify_ldt,
    libc::SYS_symlink,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[c_long] = &[];

/// Denied besides where no program may be started.
const STARTING: &[c_long] = &[libc::SYS_execve, libc::SYS_execveat];
#[cfg(target_arch = "x86_64")]
const STARTING_HERE: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const STARTING_HERE: &[c_long] = &[];

/// Flags of `clone` that create namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// Filters the system calls of this process and of those that it starts, or says why it cannot.
pub(crate) fn restrict(confinement: &Confinement) -> Result<(), String> {
    // Its flags are in memory, where no filter can read them; the C library then uses `clone`.
    let unknown = filter(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)?;
    let denied = filter(rules(confinement).map_err(|error| error.to_string())?, libc::EPERM)?;
    for program in [unknown, denied] {
        apply_filter_all_threads(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Denied calls: always, or where one of the rules matches.
fn rules(confinement: &Confinement) -> Result<Rules, seccompiler::BackendError> {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let when = |conditions: &[(u8, SeccompCmpOp, u64)]| {
        let conditions = conditions.iter().map(|(argument, operator, value)| {
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operator.clone(), *value)
        });
        SeccompRule::new(conditions.collect::<Result<_, _>>()?)
    };
    let mut rules: Rules = DENIED.iter().chain(DENIED_HERE).map(|call| (*call, Vec::new())).collect();
    let own = u64::from(own_id());
    // Input for the shell of a terminal.
    rules.insert(libc::SYS_ioctl, vec![when(&[(1, Eq, libc::TIOCSTI)])?]);
    rules.insert(libc::SYS_prlimit64, vec![when(&[(0, Ne, 0), (0, Ne, own)])?]);
    let mut clone = Vec::new();
    for flag in NAMESPACES {
        let flag = u64::from(flag.cast_unsigned());
        clone.push(when(&[(0, MaskedEq(flag), flag)])?);
    }
    if confinement.execute.is_empty() {
        rules.extend(STARTING.iter().chain(STARTING_HERE).map(|call| (*call, Vec::new())));
        let thread = u64::from(libc::CLONE_THREAD.cast_unsigned());
        clone.push(when(&[(0, MaskedEq(thread), 0)])?);
        for call in [libc::SYS_kill, libc::SYS_tgkill] {
            rules.insert(call, vec![when(&[(0, Ne, own)])?]);
        }
    }
    rules.insert(libc::SYS_clone, clone);
    rules.insert(
        libc::SYS_socket,
        match confinement.ports.is_empty() {
            true => Vec::new(),
            false => {
                let [inet, inet6] = [libc::AF_INET, libc::AF_INET6].map(|family| u64::from(family.cast_unsigned()));
                let raw = u64::from(libc::SOCK_RAW.cast_unsigned());
                // The other bits are flags.
                let [default, tcp, udp] =
                    [0, libc::IPPROTO_TCP, libc::IPPROTO_UDP].map(|protocol| u64::from(protocol.cast_unsigned()));
                vec![
                    when(&[(0, Ne, inet), (0, Ne, inet6)])?,
                    when(&[(1, MaskedEq(0xf), raw)])?,
                    // Landlock limits the ports of TCP, but not of its relatives, such as Multipath TCP.
                    when(&[(2, Ne, default), (2, Ne, tcp), (2, Ne, udp)])?,
                ]
            }
        },
    );
    // Connects while it sends, which Landlock does not see.
    let fast_open = u64::from(libc::MSG_FASTOPEN.cast_unsigned());
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        rules.insert(call, vec![when(&[(flags, MaskedEq(fast_open), fast_open)])?]);
    }
    Ok(rules)
}

/// A program that fails these calls with `errno` and allows all others.
fn filter(rules: Rules, errno: i32) -> Result<BpfProgram, String> {
    let architecture = std::env::consts::ARCH.try_into().map_err(|error| format!("{error}"))?;
    let errno = SeccompAction::Errno(errno.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, architecture);
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(|error| error.to_string())?;
    Ok(if cfg!(target_arch = "x86_64") { without_x32(program) } else { program })
}

/// Puts a denial of the x32 calls before a program: the same calls, with numbers that it does not list.
fn without_x32(program: BpfProgram) -> BpfProgram {
    /// `__X32_SYSCALL_BIT`
    const X32: u32 = 0x4000_0000;
    let statement = |code: u32, jt: u8, k: u32| sock_filter { code: code as u16, jt, jf: 0, k };
    let denial = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    let mut all = vec![
        // The number of the call is the first field of `seccomp_data`.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        sock_filter { jf: 1, ..statement(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, X32) },
        statement(libc::BPF_RET | libc::BPF_K, 0, denial),
    ];
    all.extend(program);
    all
}
