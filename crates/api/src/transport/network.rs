//! The network that counts as one client.

use std::net::{IpAddr, Ipv6Addr};

/// Prefix length of the IPv6 networks that providers assign to one customer.
const IPV6_PREFIX: u32 = 56;

/// Returns what an address is counted under: an IPv4 address itself, of an IPv6 address its /56.
pub(crate) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (u128::BITS - IPV6_PREFIX))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_ipv4_address_or_a_56_of_ipv6() {
        let network = |text: &str| client_network(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.1"), "192.0.2.1");
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(network("2001:db8:1:2ff:3::4"), "2001:db8:1:200::");
        assert_eq!(network("2001:db8:1:2aa::"), network("2001:db8:1:200::1"));
        assert_ne!(network("2001:db8:1:300::"), network("2001:db8:1:200::"));
    }
}
