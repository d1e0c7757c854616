//! URLs generated from a grammar of the ways to spell an address. Each case begins with an address and knows whether it is public, so
//! that what must happen follows from how the URL was made, and not from reading it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A URL with what it means.
pub struct Case {
    /// The URL.
    pub url: String,
    /// What must happen.
    pub meaning: Meaning,
    /// Name of the form, for messages and counts.
    pub form: &'static str,
}

/// What must happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It is refused without a connection: it is no URL that may be fetched, or it spells an address that is not public.
    Refused,
    /// It spells this public address.
    Public(IpAddr),
}

/// An endless sequence of cases, the same for the same seed. Where a case has a port, it is usually `port`.
pub fn cases(seed: u64, port: u16) -> impl Iterator<Item = Case> {
    let mut dice = Dice(seed);
    std::iter::repeat_with(move || case(&mut dice, port))
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.bits() % limit as u64).expect("below a usize")
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Networks of addresses that lead into a machine or its surroundings, or nowhere, by base and prefix length.
const INNER_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(127, 0, 0, 1), 32),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 169, 254), 32),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(0, 0, 0, 0), 32),
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(192, 0, 0, 192), 32),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(255, 255, 255, 255), 32),
];

/// Networks that are public throughout.
const PUBLIC_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(8, 8, 8, 8), 32),
    (Ipv4Addr::new(1, 1, 1, 1), 32),
    (Ipv4Addr::new(17, 0, 0, 0), 8),
    (Ipv4Addr::new(80, 0, 0, 0), 8),
    (Ipv4Addr::new(151, 0, 0, 0), 8),
    (Ipv4Addr::new(185, 0, 0, 0), 8),
];

const INNER_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::LOCALHOST, 128),
    (Ipv6Addr::UNSPECIFIED, 128),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128),
    (Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 1), 128),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64),
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16),
];

const PUBLIC_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111), 128),
    (Ipv6Addr::new(0x2606, 0x4700, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2a00, 0x1450, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2001, 0x4860, 0, 0, 0, 0, 0, 0), 32),
];

/// An address with its meaning; three in four are not public.
fn v4(dice: &mut Dice) -> (Ipv4Addr, Meaning) {
    let is_public = dice.one_in(4);
    let (base, length) = dice.pick(if is_public { PUBLIC_V4 } else { INNER_V4 });
    let host = u32::try_from(dice.bits() >> 32).expect("32 bits").checked_shr(length).unwrap_or(0);
    let address = Ipv4Addr::from(u32::from(base) | host);
    (address, if is_public { Meaning::Public(address.into()) } else { Meaning::Refused })
}

fn v6(dice: &mut Dice) -> (Ipv6Addr, Meaning) {
    let is_public = dice.one_in(4);
    let (base, length) = dice.pick(if is_public { PUBLIC_V6 } else { INNER_V6 });
    let mut host = (u128::from(dice.bits()) << 64 | u128::from(dice.bits())).checked_shr(length).unwrap_or(0);
    if dice.one_in(2) {
        // Runs of zeros can be shortened.
        host &= 0xffff << (16 * dice.below(4));
    }
    let address = Ipv6Addr::from(u128::from(base) | host);
    (address, if is_public { Meaning::Public(address.into()) } else { Meaning::Refused })
}

/// A host of one of the forms.
fn host(dice: &mut Dice) -> (String, Meaning, &'static str) {
    match dice.below(20) {
        0..=6 => {
            let (address, meaning) = v4(dice);
            let plain = numbers(dice, address);
            (decorated(dice, &plain), meaning, "IPv4 numbers")
        }
        7 => {
            let (address, _) = v4(dice);
            (broken_v4(dice, address), Meaning::Refused, "broken IPv4")
        }
        8..=10 => {
            let (address, meaning) = v6(dice);
            (format!("[{}]", groups(dice, address)), meaning, "IPv6 groups")
        }
        11 => {
            let (address, _) = v6(dice);
            (broken_v6(dice, address), Meaning::Refused, "broken IPv6")
        }
        12..=13 => {
            let (address, meaning) = v4(dice);
            (format!("[{}]", groups(dice, address.to_ipv6_mapped())), meaning, "IPv4-mapped")
        }
        _ => {
            let (address, _) = v4(dice);
            let (embedding, form) = embedding(dice, address);
            (format!("[{}]", groups(dice, embedding)), Meaning::Refused, form)
        }
    }
}

/// An IPv6 address that leads to an IPv4 address through a translator or tunnel. None of them may be connected to, whatever the IPv4
/// address.
fn embedding(dice: &mut Dice, address: Ipv4Addr) -> (Ipv6Addr, &'static str) {
    let v4 = u128::from(u32::from(address));
    let (bits, form) = match dice.below(6) {
        // Within ::/96, zeros but for a few bits would be the unspecified or the loopback address, which are refused as well.
        0 => (v4, "IPv4-compatible"),
        1 => (0xffff_0000 << 32 | v4, "IPv4-translated"),
        2 => (0x64_ff9b << 96 | v4, "NAT64"),
        3 => (0x64_ff9b_0001 << 80 | v4, "local NAT64"),
        4 => (0x2002 << 112 | v4 << 80 | u128::from(dice.bits() & 0xffff) << 64 | 1, "6to4"),
        _ => {
            let server = u128::from(u32::from(Ipv4Addr::new(65, 54, 227, 120)));
            let port = u128::from(!dice.bits() & 0xffff);
            (0x2001_0000 << 96 | server << 64 | 0x8000 << 48 | port << 32 | (!v4 & 0xffff_ffff), "Teredo")
        }
    };
    (Ipv6Addr::from(bits), form)
}

/// An IPv4 address as one to four numbers, each decimal, octal or hexadecimal.
fn numbers(dice: &mut Dice, address: Ipv4Addr) -> String {
    let bits = u32::from(address);
    let count = dice.pick(&[1, 2, 3, 4, 4, 4]);
    let mut parts: Vec<String> = (0..count - 1).map(|at| number(dice, (bits >> (24 - 8 * at)) & 0xff)).collect();
    // The last number has all bytes that are left.
    let last = u32::try_from(u64::from(bits) & ((1u64 << (8 * (5 - count))) - 1)).expect("at most 32 bits");
    parts.push(number(dice, last));
    let end = if dice.one_in(5) { "." } else { "" };
    parts.join(".") + end
}

fn number(dice: &mut Dice, value: u32) -> String {
    let zeros = "0".repeat(if dice.one_in(3) { dice.below(6) } else { 0 });
    match dice.below(4) {
        0 => format!("0{zeros}{value:o}"),
        1 => format!("0x{zeros}{value:x}"),
        2 => format!("0X{zeros}{value:X}"),
        _ => value.to_string(),
    }
}

/// The same host in characters that a URL's host is mapped from: full-width or circled digits, other dots, invisible characters,
/// percent-encoding.
fn decorated(dice: &mut Dice, host: &str) -> String {
    if dice.one_in(2) {
        return host.to_owned();
    }
    let how = dice.below(4);
    let other = |dice: &mut Dice, character: char| match (how, character) {
        (0, '.') => dice.pick(&['\u{3002}', '\u{ff0e}', '\u{ff61}', '.']).to_string(),
        (0, '!'..='~') => {
            char::from_u32(u32::from(character) - 0x21 + 0xff01).expect("a full-width character").to_string()
        }
        (1, '1'..='9') => char::from_u32(u32::from(character) - 0x31 + 0x2460).expect("a circled digit").to_string(),
        (2, _) => {
            let upper = dice.one_in(2);
            if upper { format!("%{:02X}", u32::from(character)) } else { format!("%{:02x}", u32::from(character)) }
        }
        (3, _) => format!("{character}{}", dice.pick(&["\u{ad}", "\u{200b}", "\u{2060}", ""])),
        _ => character.to_string(),
    };
    host.chars().map(|character| if dice.one_in(2) { other(dice, character) } else { character.to_string() }).collect()
}

/// Something like an IPv4 address that is none, and no name either.
fn broken_v4(dice: &mut Dice, address: Ipv4Addr) -> String {
    let [a, b, c, d] = address.octets();
    match dice.below(8) {
        0 => format!("{a}.{b}.{c}.{d}.{d}"),
        1 => format!("{a}.{b}.{c}.{}", 256 + u32::from(d)),
        2 => format!("{}.{b}.{c}.{d}", 256 + u32::from(a)),
        3 => format!("{}", u64::from(u32::from(address)) + (1 << 32)),
        4 => format!("{a}..{b}.{c}.{d}"),
        5 => format!("{a}.{b}.{c}.08"),
        6 => format!("{a}.{b}.{c}.{d}{}", dice.pick(&["%00", "%20", "%2f", "%25", "%09", "<", "^", "|", " "])),
        _ => format!("{a}.{b}.{c}.{d}%25eth{}", dice.below(4)),
    }
}

/// An IPv6 address as up to eight groups.
fn groups(dice: &mut Dice, address: Ipv6Addr) -> String {
    let segments = address.segments();
    let has_tail = dice.one_in(3);
    let count = if has_tail { 6 } else { 8 };
    let mut parts: Vec<String> = segments[..count].iter().map(|segment| group(dice, *segment)).collect();
    if has_tail {
        let bits = u128::from(address) & 0xffff_ffff;
        parts.push(Ipv4Addr::from(u32::try_from(bits).expect("32 bits")).to_string());
    }
    // Any run of two or more zeros, not only the longest, may be left out.
    let runs: Vec<(usize, usize)> = (0..count)
        .flat_map(|from| (from + 2..=count).map(move |to| (from, to)))
        .filter(|(from, to)| segments[*from..*to].iter().all(|segment| *segment == 0))
        .collect();
    if runs.is_empty() || dice.one_in(4) {
        return parts.join(":");
    }
    let (from, to) = dice.pick(&runs);
    format!("{}::{}", parts[..from].join(":"), parts[to..].join(":"))
}

fn group(dice: &mut Dice, segment: u16) -> String {
    match dice.below(3) {
        0 => format!("{segment:04x}"),
        1 => format!("{segment:X}"),
        _ => format!("{segment:x}"),
    }
}

fn broken_v6(dice: &mut Dice, address: Ipv6Addr) -> String {
    let text = groups(dice, address);
    match dice.below(7) {
        0 => format!("[{text}%25eth0]"),
        1 => format!("[{text}%eth0]"),
        2 => format!("[{text}"),
        3 => format!("{text}]"),
        4 => format!("[[{text}]]"),
        5 => format!("[{text}]x"),
        _ => format!("%5B{text}%5D"),
    }
}

/// A URL around a host.
fn case(dice: &mut Dice, port: u16) -> Case {
    let (host, meaning, form) = host(dice);
    let scheme = dice.pick(&["http", "http", "https", "HTTP", "hTTpS"]);
    let slashes = dice.pick(&["://", "://", "://", ":/", ":", ":///", ":\\\\", ":/\\"]);
    let after = match dice.below(6) {
        0 => String::new(),
        1 => format!(":000{port}"),
        2 => ":".to_owned(),
        _ => format!(":{port}"),
    };
    let path = dice.pick(&["/png", "/png", "", "/a/../../png", "/%2e%2e/png", "?x=@8.8.8.8", "#@8.8.8.8", "\\png"]);
    let plain = |meaning, form| Case { url: format!("{scheme}{slashes}{host}{after}{path}"), meaning, form };
    match dice.below(16) {
        0 => {
            let scheme = dice.pick(&OTHER_SCHEMES);
            Case { url: format!("{scheme}{host}{after}{path}"), meaning: Meaning::Refused, form: "another scheme" }
        }
        1 => {
            let user =
                dice.pick(&["user@", "user:word@", ":word@", "8.8.8.8@", "8.8.8.8:80@", "8.8.8.8%23@", "%40@", "a@b@"]);
            let url = format!("{scheme}{slashes}{user}{host}{after}{path}");
            Case { url, meaning: Meaning::Refused, form: "credentials" }
        }
        2 => {
            let bad = dice.pick(&[":99999", ":65536", ":-1", ":8o", ":80:80", ":0x50", ":%38%30"]);
            Case { url: format!("{scheme}{slashes}{host}{bad}{path}"), meaning: Meaning::Refused, form: "a bad port" }
        }
        3 => {
            // The authority ends before the `@`: the host is the one in front of it.
            let (decoy, hidden) = (host, dice.pick(&["127.0.0.1", "8.8.8.8", "[::1]"]));
            let end = dice.pick(&["/", "?", "#", "\\"]);
            Case { url: format!("{scheme}{slashes}{decoy}{end}@{hidden}{after}/"), meaning, form: "a false host" }
        }
        4 => {
            let Case { url, meaning, form: _ } = plain(meaning, form);
            // A tab or line break anywhere in a URL is removed, and so are spaces around it.
            let at = dice.below(url.chars().count());
            let broken: String = url
                .chars()
                .enumerate()
                .flat_map(|(index, character)| {
                    let added = (index == at).then(|| dice.pick(&['\t', '\n', '\r']));
                    added.into_iter().chain([character])
                })
                .collect();
            Case { url: format!(" {broken} "), meaning, form: "white space" }
        }
        _ => plain(meaning, form),
    }
}

const OTHER_SCHEMES: [&str; 18] = [
    "file://",
    "ftp://",
    "gopher://",
    "dict://",
    "ldap://",
    "tftp://",
    "ws://",
    "wss://",
    "s3://",
    "php://",
    "unix://",
    "ssh://",
    "jar:http://",
    "view-source:http://",
    "blob:http://",
    "data:,http://",
    "javascript://",
    "//",
];
