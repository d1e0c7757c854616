//! Client address and channel of a request, from the connection or from a trusted proxy's headers.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use ipnet::IpNet;

/// Networks of proxies that terminate TLS. Only their `X-Forwarded-Proto` and `X-Forwarded-For` are trusted.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

/// Address of the client, as opposed to a trusted proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// How a request arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Over TLS.
    Secure,
    /// From this machine.
    Loopback,
    /// Over plain HTTP from another machine: only health checks are answered.
    Open,
}

impl From<Vec<IpNet>> for TrustedProxies {
    fn from(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }
}

impl TrustedProxies {
    /// Whether this is the address of a trusted proxy.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Client address and channel of a request that came from `peer`.
    pub(crate) fn origin(&self, peer: IpAddr, over_tls: bool, headers: &HeaderMap) -> (ClientAddress, Channel) {
        let peer = peer.to_canonical();
        if !self.contains(peer) {
            let channel = match (over_tls, peer.is_loopback()) {
                (true, _) => Channel::Secure,
                (false, true) => Channel::Loopback,
                (false, false) => Channel::Open,
            };
            return (ClientAddress(peer), channel);
        }
        // The trusted proxy appended the last value. Clients can forge those before it.
        let protocol = listed(headers, "x-forwarded-proto").next();
        let secure = protocol.map_or(over_tls, |protocol| protocol.eq_ignore_ascii_case("https"));
        let mut client = peer;
        for text in listed(headers, "x-forwarded-for") {
            let Some(address) = address(text) else { break };
            client = address;
            if !self.contains(address) {
                break;
            }
        }
        (ClientAddress(client), if secure { Channel::Secure } else { Channel::Open })
    }
}

/// Values of a list header, which may be repeated, last first.
fn listed<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let lines: Vec<&str> = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default()).collect();
    lines.into_iter().rev().flat_map(|line| line.rsplit(',')).map(str::trim)
}

/// `192.0.2.1`, `2001:db8::1`, and both with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(peer: &str, over_tls: bool, headers: &[(&'static str, &str)]) -> (String, Channel) {
        let proxies = TrustedProxies::from(vec!["10.0.0.0/8".parse().unwrap(), "2001:db8::/32".parse().unwrap()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        let (client, channel) = proxies.origin(peer.parse().unwrap(), over_tls, &map);
        (client.0.to_string(), channel)
    }

    #[test]
    fn without_a_trusted_proxy_only_the_connection_counts() {
        let forwarded = [("x-forwarded-proto", "https"), ("x-forwarded-for", "192.0.2.9")];
        for (peer, over_tls, channel) in [
            ("192.0.2.1", true, Channel::Secure),
            ("192.0.2.1", false, Channel::Open),
            ("127.0.0.1", false, Channel::Loopback),
            ("::1", false, Channel::Loopback),
        ] {
            assert_eq!(origin(peer, over_tls, &forwarded), (peer.to_owned(), channel), "{peer}");
        }
        assert_eq!(origin("::ffff:192.0.2.1", false, &forwarded), ("192.0.2.1".into(), Channel::Open));
    }

    #[test]
    fn the_last_protocol_of_a_trusted_proxy_must_be_https() {
        for (protocols, channel) in [
            (&["https"][..], Channel::Secure),
            (&["HTTPS"], Channel::Secure),
            (&["http, https"], Channel::Secure),
            (&["http", "https"], Channel::Secure),
            (&["https, http"], Channel::Open),
            (&["https", "http"], Channel::Open),
            (&["http"], Channel::Open),
            (&["https,"], Channel::Open),
            (&[], Channel::Open),
        ] {
            let headers: Vec<_> = protocols.iter().map(|value| ("x-forwarded-proto", *value)).collect();
            assert_eq!(origin("10.0.0.1", false, &headers).1, channel, "{protocols:?}");
        }
        assert_eq!(origin("10.0.0.1", true, &[]).1, Channel::Secure);
        assert_eq!(origin("10.0.0.1", true, &[("x-forwarded-proto", "http")]).1, Channel::Open);
    }

    #[test]
    fn the_client_is_the_last_address_that_is_not_a_trusted_proxy() {
        for (forwarded, client) in [
            (&["192.0.2.9"][..], "192.0.2.9"),
            (&["203.0.113.7, 192.0.2.9"], "192.0.2.9"),
            (&["203.0.113.7", "192.0.2.9, 10.1.1.1"], "192.0.2.9"),
            (&["192.0.2.9:443"], "192.0.2.9"),
            (&["[2001:dead::1]:443"], "2001:dead::1"),
            (&["[2001:dead::1]"], "2001:dead::1"),
            (&["10.3.3.3, 10.2.2.2"], "10.3.3.3"),
            (&["192.0.2.9, unknown"], "10.0.0.1"),
            (&["192.0.2.9, unknown, 10.2.2.2"], "10.2.2.2"),
            (&[], "10.0.0.1"),
        ] {
            let headers: Vec<_> = forwarded.iter().map(|value| ("x-forwarded-for", *value)).collect();
            assert_eq!(origin("10.0.0.1", true, &headers).0, client, "{forwarded:?}");
        }
    }
}
