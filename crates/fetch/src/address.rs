//! Classification of IP addresses as public or not.
//!
//! Sources: IANA special-purpose address registries for IPv4 and IPv6, as of 2025.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Addresses that may be connected to.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    allowed: Vec<IpNet>,
    /// Additional CA certificates, PEM.
    pub(crate) trusted: Vec<u8>,
}

impl Policy {
    /// Allows public addresses and those of `networks`.
    #[must_use]
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self { allowed: networks, trusted: Vec::new() }
    }

    /// Additionally trusts these CA certificates (PEM), for servers of an internal network.
    #[must_use]
    pub fn trusting(self, certificates: Vec<u8>) -> Self {
        Self { trusted: certificates, ..self }
    }

    /// Whether an address may be connected to.
    #[must_use]
    pub fn permits(&self, address: IpAddr) -> bool {
        // IPv4-mapped IPv6 addresses are connected to as IPv4, and checked as such.
        let address = address.to_canonical();
        self.allowed.iter().any(|network| network.contains(&address)) || is_public(address)
    }
}

/// IPv4 networks that are not public, by base and prefix length.
const NOT_PUBLIC_V4: &[(Ipv4Addr, u8)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier-grade NAT; metadata of one cloud provider
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // host of a cloud provider behind a public address
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local; metadata of most cloud providers
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24),  // AS112
    (Ipv4Addr::new(192, 52, 193, 0), 24),  // AMT
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(192, 175, 48, 0), 24),  // AS112
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 3),      // multicast, reserved, broadcast
];

/// IPv6 networks inside 2000::/3 that are not public, by base and prefix length. Everything outside 2000::/3 is not public:
/// loopback, unspecified, IPv4-compatible, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard, segment routing, unique local,
/// link-local, site-local and multicast.
const NOT_PUBLIC_V6: &[(Ipv6Addr, u8)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments: Teredo, benchmarks, ORCHID
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112
    (Ipv6Addr::new(0x3ffe, 0, 0, 0, 0, 0, 0, 0), 16), // 6bone, returned
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = u32::from(address);
            !NOT_PUBLIC_V4.iter().any(|(base, length)| (bits ^ u32::from(*base)) >> (32 - length) == 0)
        }
        IpAddr::V6(address) => {
            let bits = u128::from(address);
            let is_global = bits >> 125 == 0b001;
            is_global && !NOT_PUBLIC_V6.iter().any(|(base, length)| (bits ^ u128::from(*base)) >> (128 - length) == 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(policy: &Policy, address: &str) -> bool {
        policy.permits(address.parse().unwrap())
    }

    #[test]
    fn public_addresses_are_permitted() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001:80b::200e",
            "2001:200::1",
            "::ffff:1.1.1.1",
        ] {
            assert!(permits(&Policy::default(), address), "{address}");
        }
    }

    #[test]
    fn addresses_that_are_not_public_are_refused_in_every_notation() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::a00:1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!permits(&Policy::default(), address), "{address}");
        }
    }

    #[test]
    fn only_allowed_networks_are_permitted_besides_public_ones() {
        let policy = Policy::new(vec!["10.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()]);
        for (address, permitted) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("::1", true),
            ("10.2.0.1", false),
            ("127.0.0.1", false),
            ("64:ff9b::a01:203", false),
            ("1.1.1.1", true),
        ] {
            assert_eq!(permits(&policy, address), permitted, "{address}");
        }
    }
}
