//! Lists of networks: a list that adds up to everybody protects nothing.

use anyhow::ensure;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// All IPv4 addresses as IPv4-mapped IPv6 addresses.
const MAPPED: (u128, u8) = (0xffff_0000_0000, 96);

/// The IPv6 addresses that the public network uses.
const GLOBAL: (u128, u8) = (0x2000 << 112, 3);

/// IPv4 networks in place of IPv4-mapped IPv6 networks, because connections over IPv4 are compared as such.
pub(super) fn canonical(networks: &[IpNet]) -> Vec<IpNet> {
    networks.iter().map(|network| mapped_v4(*network).map_or(*network, IpNet::V4)).collect()
}

/// Checks that a list does not add up to half or more of the IPv4 addresses, or of the public IPv6 addresses.
///
/// # Errors
/// Names the key, and ends with `remedy`.
pub(super) fn check(key: &str, networks: &[IpNet], remedy: &str) -> anyhow::Result<()> {
    let (v4, v6) = (share_of_v4(networks), share_of_v6(networks));
    for (share, family) in [(v4, "IPv4"), (v6, "IPv6")] {
        let covered = if share < 1.0 { format!("{:.0} % of all", share * 100.0) } else { "all".to_owned() };
        ensure!(share < 0.5, "{key} covers {covered} {family} addresses: {remedy}");
    }
    Ok(())
}

/// The share of the IPv4 addresses that a list covers. An IPv6 network that has all IPv4-mapped addresses covers all of them.
fn share_of_v4(networks: &[IpNet]) -> f64 {
    let of = |network: &IpNet| match network {
        IpNet::V4(network) => Some(*network),
        IpNet::V6(network) if contains(*network, MAPPED) => Some(Ipv4Net::default()),
        IpNet::V6(_) => mapped_v4(*network),
    };
    let aggregate = Ipv4Net::aggregate(&networks.iter().filter_map(of).collect());
    aggregate.iter().map(|network| share(network.prefix_len())).sum()
}

/// The share of the public IPv6 addresses that a list covers.
fn share_of_v6(networks: &[IpNet]) -> f64 {
    let of = |network: &IpNet| match network {
        IpNet::V4(_) => None,
        IpNet::V6(network) => Some(*network),
    };
    let aggregate = Ipv6Net::aggregate(&networks.iter().filter_map(of).collect());
    let (_, length) = GLOBAL;
    let covered = aggregate.iter().map(|network| match contains(*network, GLOBAL) {
        true => 1.0,
        false if is_within(*network, GLOBAL) => share(network.prefix_len() - length),
        false => 0.0,
    });
    covered.sum()
}

/// The share of an address space that a network of this prefix length has.
fn share(prefix: u8) -> f64 {
    0.5f64.powi(i32::from(prefix))
}

fn mapped_v4(network: impl Into<IpNet>) -> Option<Ipv4Net> {
    let IpNet::V6(network) = network.into() else { return None };
    let address = network.network().to_ipv4_mapped().filter(|_| is_within(network, MAPPED))?;
    Ipv4Net::new(address, network.prefix_len() - MAPPED.1).ok()
}

/// Whether a network has all addresses of another one.
fn contains(network: Ipv6Net, (base, length): (u128, u8)) -> bool {
    network.prefix_len() <= length && has(network.network().to_bits(), base, network.prefix_len())
}

fn is_within(network: Ipv6Net, (base, length): (u128, u8)) -> bool {
    network.prefix_len() >= length && has(network.network().to_bits(), base, length)
}

/// Whether the first bits of two addresses are equal.
fn has(address: u128, base: u128, length: u8) -> bool {
    (address ^ base).checked_shr(128 - u32::from(length)).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(networks: &[&str]) -> Vec<IpNet> {
        networks.iter().map(|network| network.parse().unwrap()).collect()
    }

    fn refusal(networks: &[&str]) -> Option<String> {
        check("[x] list", &parse(networks), "list less").err().map(|error| error.to_string())
    }

    #[test]
    fn networks_that_add_up_to_everybody_are_refused() {
        for (networks, covered) in [
            (&["0.0.0.0/0"][..], "all IPv4"),
            (&["0.0.0.0/1", "128.0.0.0/1"], "all IPv4"),
            (&["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"], "all IPv4"),
            (&["1.2.3.4/1", "255.0.0.0/1"], "all IPv4"),
            (&["0.0.0.0/2", "64.0.0.0/2", "192.0.0.0/2"], "75 % of all IPv4"),
            (&["128.0.0.0/1"], "50 % of all IPv4"),
            (&["::ffff:0:0/96"], "all IPv4"),
            (&["::ffff:0:0/97", "128.0.0.0/1"], "all IPv4"),
            (&["::/64"], "all IPv4"),
            (&["::/0"], "all IPv4"),
            (&["::/1", "8000::/1"], "all IPv4"),
            (&["1000::/4", "2000::/3"], "all IPv6"),
            (&["2000::/4", "3000::/4"], "all IPv6"),
            (&["2000::/4", "2000::/5"], "50 % of all IPv6"),
            (&["10.0.0.0/8", "3000::/4"], "50 % of all IPv6"),
        ] {
            let message = format!("[x] list covers {covered} addresses: list less");
            assert_eq!(refusal(networks), Some(message), "{networks:?}");
        }
        let every_eighth: Vec<String> = (0..=255).map(|first| format!("{first}.0.0.0/8")).collect();
        assert!(refusal(&every_eighth.iter().map(String::as_str).collect::<Vec<_>>()).is_some());
    }

    #[test]
    fn the_networks_of_proxies_and_of_private_addresses_are_allowed() {
        for networks in [
            &[][..],
            &["127.0.0.0/8", "::1/128"],
            &[
                "10.0.0.0/8",
                "172.16.0.0/12",
                "192.168.0.0/16",
                "100.64.0.0/10",
                "169.254.0.0/16",
                "fc00::/7",
                "fe80::/10",
            ],
            &["::ffff:10.0.0.0/104", "2001:db8::/32", "2400:cb00::/32"],
            &["0.0.0.0/2"],
        ] {
            assert_eq!(refusal(networks), None, "{networks:?}");
        }
    }

    #[test]
    fn mapped_networks_are_those_that_they_stand_for() {
        let given = parse(&["::ffff:10.0.0.0/104", "::ffff:192.0.2.7/128", "10.1.0.0/16", "::/64", "fc00::/7"]);
        let expected = parse(&["10.0.0.0/8", "192.0.2.7/32", "10.1.0.0/16", "::/64", "fc00::/7"]);
        assert_eq!(canonical(&given), expected);
    }
}
