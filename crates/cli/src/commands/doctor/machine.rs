//! Checks of the machine: clock, certificate, and hosts of online sources.

use std::collections::BTreeMap;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use aerie_domain::{Clock, SystemClock};
use aerie_engine_api::Finding;
use aerie_geodata::{Service, XyzTiles};
use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::TimeZone;

use crate::config::Config;
use crate::engine_child::check_signer;
use crate::signing;

/// Days for which a certificate should remain valid: automatic renewal runs a month before expiry.
const GOOD_FOR_DAYS: i64 = 21;

/// Tolerance for a clock that is behind the database's modification time, for files written by other machines.
const AHEAD: Duration = Duration::from_secs(120);

/// Timeout for connecting to a source's host.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Checks the clock, on which links, quotas and usage depend.
pub(super) fn clock(config: &Config) -> Finding {
    let what = "clock";
    let now = SystemClock.now();
    let remedy = "set the clock and enable NTP: timedatectl set-ntp true";
    let shown = format!("{:.0} UTC", now.to_zoned(TimeZone::UTC).datetime());
    if now < date(2026, 1, 1).at(0, 0, 0, 0).to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |at| at.timestamp())
    {
        return Finding::bad(what, format!("{shown}: earlier than the release of this version"), remedy);
    }
    let written =
        config.database_file().ok().and_then(|file| std::fs::metadata(file).and_then(|meta| meta.modified()).ok());
    if let Some(ahead) = written.and_then(|written| written.duration_since(std::time::SystemTime::now()).ok())
        && ahead > AHEAD
    {
        return Finding::bad(
            what,
            format!("{shown}: {} s behind the last write to the database", ahead.as_secs()),
            remedy,
        );
    }
    match is_synchronized() {
        Some(false) => {
            Finding { remedy: Some(remedy.into()), ..Finding::good(what, format!("{shown}, not synchronized by NTP")) }
        }
        Some(true) => Finding::good(what, format!("{shown}, synchronized by NTP")),
        None => Finding::good(what, format!("{shown}; cannot determine whether NTP is active")),
    }
}

fn is_synchronized() -> Option<bool> {
    let output = Command::new("timedatectl").args(["show", "--property=NTPSynchronized", "--value"]).output().ok()?;
    match String::from_utf8_lossy(&output.stdout).trim() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// Checks the certificate of `[tls]`, if one is configured.
pub(super) fn certificate(config: &Config) -> Option<Finding> {
    let remedy = "set [tls] cert to a certificate chain in PEM";
    Some(certificate_in("certificate", config.certificate()?, remedy))
}

/// Checks the program that writes the Content Credentials, and who signs them, if the operator does.
pub(super) fn credentials(config: &Config) -> Option<Finding> {
    let what = "credentials";
    let remedy =
        "install `aerie` and `aerie-sign` of the same version into one folder; until then media are not signed";
    if let Err(why) = check_signer() {
        return Some(Finding::bad(what, why, remedy));
    }
    let (certificate, _) = config.credentials.files().filter(|_| config.credentials.enabled)?;
    Some(match signing::check_operator(config) {
        Err(error) => Finding::bad(what, error, "correct [credentials]; until then media are not signed"),
        Ok(()) => certificate_in(what, certificate, "set [credentials] certificate to a certificate chain in PEM"),
    })
}

fn certificate_in(what: &'static str, file: &Path, remedy: &str) -> Finding {
    let end = std::fs::read(file).map_err(|error| error.to_string()).and_then(|pem| validity(&pem));
    match end {
        Err(error) => Finding::bad(what, format!("{}: {error}", file.display()), remedy),
        Ok((from, to)) => certificate_finding(what, from, to, SystemClock.now()),
    }
}

fn certificate_finding(what: &'static str, from: Timestamp, to: Timestamp, now: Timestamp) -> Finding {
    let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    let days = |from: Timestamp, to: Timestamp| to.duration_since(from).as_hours().div_euclid(24);
    let (age, left) = (days(from, now), days(now, to));
    let remedy = "renew it; the server reloads it automatically";
    match () {
        () if now < from => Finding::bad(what, format!("valid only from {}", day(from)), "check the clock, or wait"),
        () if now >= to => Finding::bad(what, format!("expired on {}", day(to)), remedy),
        () if left < GOOD_FOR_DAYS => {
            Finding::bad(what, format!("{age} days old, expires in {left} days, on {}", day(to)), remedy)
        }
        () => Finding::good(what, format!("{age} days old, valid for {left} more days, until {}", day(to))),
    }
}

/// Returns the validity period of the first certificate of a chain.
fn validity(pem: &[u8]) -> Result<(Timestamp, Timestamp), String> {
    let (_, block) = x509_parser::pem::parse_x509_pem(pem).map_err(|_| "no PEM certificate found".to_owned())?;
    let certificate = block.parse_x509().map_err(|error| format!("not a valid certificate: {error}"))?;
    let validity = certificate.validity();
    let time = |time: x509_parser::time::ASN1Time| Timestamp::from_second(time.timestamp()).map_err(|e| e.to_string());
    Ok((time(validity.not_before)?, time(validity.not_after)?))
}

/// Checks that the hosts of online sources accept connections; nothing is fetched.
pub(super) fn sources(config: &Config) -> Vec<Finding> {
    let what = "online source";
    let sources = &config.sources;
    let tiles = |kind: &'static str, named: &BTreeMap<String, XyzTiles>| -> Vec<(String, String)> {
        named.iter().map(|(name, source)| (format!("{kind}.{name}"), source.url.clone())).collect()
    };
    let services = |kind: &'static str, named: &BTreeMap<String, Service>| -> Vec<(String, String)> {
        named.iter().map(|(name, source)| (format!("{kind}.{name}"), source.url.clone())).collect()
    };
    let all = [
        tiles("imagery", &sources.imagery),
        tiles("terrain", &sources.terrain),
        services("geocoder", &sources.geocoder),
        services("features", &sources.features),
    ];
    let found: Vec<Finding> = all
        .concat()
        .into_iter()
        .map(|(name, url)| match reach(&url) {
            Ok(host) => Finding::good(what, format!("{name}: {host} accepts connections")),
            Err(error) => Finding::bad(what, format!("{name}: {error}"), "check the network and the url of the source"),
        })
        .collect();
    match found.is_empty() {
        true => vec![Finding::good(what, "none configured; nothing is fetched")],
        false => found,
    }
}

/// Connects to the host of a URL template and returns its name. Nothing else of the template is shown, because it may
/// contain a key.
fn reach(template: &str) -> Result<String, String> {
    let (scheme, rest) = template.split_once("://").ok_or("not a URL")?;
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let with_port = match host.rsplit_once(':') {
        Some((_, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host.to_owned(),
        _ => format!("{host}:{}", if scheme == "http" { 80 } else { 443 }),
    };
    let addresses = with_port.to_socket_addrs().map_err(|error| format!("cannot resolve {host}: {error}"))?;
    let mut last = format!("{host} has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(_) => return Ok(host.to_owned()),
            Err(error) => last = format!("cannot connect to {host}: {error}"),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_certificate_is_reported_with_its_age_and_remaining_validity() {
        let (from, to) = (time("2026-01-01T00:00:00Z"), time("2026-04-01T00:00:00Z"));
        for (now, ok, part) in [
            ("2026-02-01T12:00:00Z", true, "31 days old, valid for 58 more"),
            ("2026-03-20T00:00:00Z", false, "expires in 12 days, on 2026-04-01"),
            ("2026-04-01T00:00:00Z", false, "expired on 2026-04-01"),
            ("2025-12-31T23:59:59Z", false, "valid only from 2026-01-01"),
        ] {
            let finding = certificate_finding("certificate", from, to, time(now));
            assert_eq!(finding.ok, ok, "{now}");
            assert!(finding.found.contains(part), "{}", finding.found);
        }
    }

    #[test]
    fn the_validity_is_read_from_a_pem_file() {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut parameters = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        parameters.not_before = rcgen::date_time_ymd(2026, 1, 2);
        parameters.not_after = rcgen::date_time_ymd(2027, 3, 4);
        let pem = parameters.self_signed(&key).unwrap().pem();
        let (from, to) = validity(pem.as_bytes()).unwrap();
        assert_eq!((from, to), (time("2026-01-02T00:00:00Z"), time("2027-03-04T00:00:00Z")));
        assert!(validity(b"nonsense").is_err());
    }

    #[test]
    fn a_host_is_reported_without_the_key_in_its_url() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(reach(&format!("http://{address}/{{z}}/{{x}}/{{y}}?key=secret")), Ok(address.to_string()));
        drop(listener);
        let error = reach(&format!("http://{address}/{{z}}/{{x}}/{{y}}?key=secret")).unwrap_err();
        assert!(error.contains("cannot connect to") && !error.contains("secret"), "{error}");
    }
}
