//! What the doctor looks at beside Aerie itself: the clock, the certificate, and the hosts of online sources.

use std::collections::BTreeMap;
use std::net::{TcpStream, ToSocketAddrs};
use std::process::Command;
use std::time::Duration;

use aerie_domain::{Clock, SystemClock};
use aerie_geodata::{Service, XyzTiles};
use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::TimeZone;

use super::Finding;
use crate::config::Config;

/// Days that a certificate should still be good for: authorities that renew by themselves do so a month before the end.
const GOOD_FOR_DAYS: i64 = 21;

/// A clock that is behind what was written says so; this much comes of files that other machines wrote.
const AHEAD: Duration = Duration::from_secs(120);

/// How long a host of a source may take to answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// Links, quotas and bills go by the clock.
pub(super) fn clock(config: &Config) -> Finding {
    let what = "clock";
    let now = SystemClock.now();
    let remedy = "set the clock, and keep it by NTP: timedatectl set-ntp true";
    let shown = format!("{:.0} UTC", now.to_zoned(TimeZone::UTC).datetime());
    if now < date(2026, 1, 1).at(0, 0, 0, 0).to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |at| at.timestamp())
    {
        return Finding::bad(what, format!("{shown}: before this version was written"), remedy);
    }
    let written = config.database().ok().and_then(|file| std::fs::metadata(file).and_then(|meta| meta.modified()).ok());
    if let Some(ahead) = written.and_then(|written| written.duration_since(std::time::SystemTime::now()).ok())
        && ahead > AHEAD
    {
        return Finding::bad(what, format!("{shown}: {} s before the database was written", ahead.as_secs()), remedy);
    }
    match is_synchronized() {
        Some(false) => {
            Finding { remedy: Some(remedy.into()), ..Finding::good(what, format!("{shown}, not kept by NTP")) }
        }
        Some(true) => Finding::good(what, format!("{shown}, kept by NTP")),
        None => Finding::good(what, format!("{shown}; whether it is kept by NTP is not known here")),
    }
}

fn is_synchronized() -> Option<bool> {
    let told = Command::new("timedatectl").args(["show", "--property=NTPSynchronized", "--value"]).output().ok()?;
    match String::from_utf8_lossy(&told.stdout).trim() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// The certificate of `[tls]`, where there is one.
pub(super) fn certificate(config: &Config) -> Option<Finding> {
    let what = "certificate";
    let file = config.certificate()?;
    let end = std::fs::read(file).map_err(|error| error.to_string()).and_then(|pem| end_of(&pem));
    Some(match end {
        Err(error) => Finding::bad(
            what,
            format!("{}: {error}", file.display()),
            "name a chain of certificates in PEM as [tls] cert",
        ),
        Ok((from, to)) => told_certificate(from, to, SystemClock.now()),
    })
}

fn told_certificate(from: Timestamp, to: Timestamp, now: Timestamp) -> Finding {
    let what = "certificate";
    let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    let days = |from: Timestamp, to: Timestamp| to.duration_since(from).as_hours().div_euclid(24);
    let (age, left) = (days(from, now), days(now, to));
    let remedy = "renew it; the server reads it again by itself";
    match () {
        () if now < from => Finding::bad(what, format!("good only from {}", day(from)), "look at the clock, or wait"),
        () if now >= to => Finding::bad(what, format!("it ended on {}", day(to)), remedy),
        () if left < GOOD_FOR_DAYS => {
            Finding::bad(what, format!("{age} days old, and ends in {left}, on {}", day(to)), remedy)
        }
        () => Finding::good(what, format!("{age} days old, good for {left} more, until {}", day(to))),
    }
}

/// From when until when the first certificate of a chain is good.
fn end_of(pem: &[u8]) -> Result<(Timestamp, Timestamp), String> {
    let (_, block) = x509_parser::pem::parse_x509_pem(pem).map_err(|_| "no certificate as PEM".to_owned())?;
    let certificate = block.parse_x509().map_err(|error| format!("not a certificate: {error}"))?;
    let validity = certificate.validity();
    let time = |time: x509_parser::time::ASN1Time| Timestamp::from_second(time.timestamp()).map_err(|e| e.to_string());
    Ok((time(validity.not_before)?, time(validity.not_after)?))
}

/// Whether the hosts of online sources can be reached; nothing is fetched.
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
            Ok(host) => Finding::good(what, format!("{name}: {host} answers")),
            Err(error) => Finding::bad(what, format!("{name}: {error}"), "look at the network and at the source's url"),
        })
        .collect();
    match found.is_empty() {
        true => vec![Finding::good(what, "none named; nothing is fetched")],
        false => found,
    }
}

/// The host that a template leads to, if it takes connections. Of the template no more is told: it may hold a key.
fn reach(template: &str) -> Result<String, String> {
    let (scheme, rest) = template.split_once("://").ok_or("not a URL")?;
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let with_port = match host.rsplit_once(':') {
        Some((_, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host.to_owned(),
        _ => format!("{host}:{}", if scheme == "http" { 80 } else { 443 }),
    };
    let addresses = with_port.to_socket_addrs().map_err(|error| format!("{host} is not found: {error}"))?;
    let mut last = format!("{host} has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, ANSWERS_WITHIN) {
            Ok(_) => return Ok(host.to_owned()),
            Err(error) => last = format!("{host} does not answer: {error}"),
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
    fn a_certificate_is_told_by_its_age_and_by_what_is_left_of_it() {
        let (from, to) = (time("2026-01-01T00:00:00Z"), time("2026-04-01T00:00:00Z"));
        for (now, ok, part) in [
            ("2026-02-01T12:00:00Z", true, "31 days old, good for 58 more"),
            ("2026-03-20T00:00:00Z", false, "ends in 12, on 2026-04-01"),
            ("2026-04-01T00:00:00Z", false, "it ended on 2026-04-01"),
            ("2025-12-31T23:59:59Z", false, "good only from 2026-01-01"),
        ] {
            let finding = told_certificate(from, to, time(now));
            assert_eq!(finding.ok, ok, "{now}");
            assert!(finding.found.contains(part), "{}", finding.found);
        }
    }

    #[test]
    fn a_certificate_is_read_from_its_file_as_the_server_reads_it() {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut parameters = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        parameters.not_before = rcgen::date_time_ymd(2026, 1, 2);
        parameters.not_after = rcgen::date_time_ymd(2027, 3, 4);
        let pem = parameters.self_signed(&key).unwrap().pem();
        let (from, to) = end_of(pem.as_bytes()).unwrap();
        assert_eq!((from, to), (time("2026-01-02T00:00:00Z"), time("2027-03-04T00:00:00Z")));
        assert!(end_of(b"nonsense").is_err());
    }

    #[test]
    fn a_host_is_reached_or_told_without_the_key_in_its_address() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(reach(&format!("http://{address}/{{z}}/{{x}}/{{y}}?key=secret")), Ok(address.to_string()));
        drop(listener);
        let error = reach(&format!("http://{address}/{{z}}/{{x}}/{{y}}?key=secret")).unwrap_err();
        assert!(error.contains("does not answer") && !error.contains("secret"), "{error}");
    }
}
