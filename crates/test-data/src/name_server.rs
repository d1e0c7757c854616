//! A DNS server on loopback over UDP (RFC 1035) for tests: each name has a list of answers, given in turn, the last of them forever.
//! The time to live is always zero.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A record of an answer. Records after a [`Record::Cname`] belong to its target.
#[derive(Debug, Clone, Copy)]
pub enum Record {
    /// An IPv4 address.
    A(Ipv4Addr),
    /// An IPv6 address.
    Aaaa(Ipv6Addr),
    /// Another name.
    Cname(&'static str),
    /// Not a record: the query is not answered at all.
    Silence,
    /// Not a record: the answer ends in the middle.
    CutOff,
}

/// What names resolve to: for each name, its answers in turn. Other names do not exist.
pub type Zone = Vec<(&'static str, Vec<Vec<Record>>)>;

/// A running server.
pub struct NameServer {
    /// Where it listens.
    pub address: SocketAddr,
    queries: Arc<AtomicUsize>,
}

/// Type of a query for IPv4 addresses.
pub const A: u16 = 1;
const CNAME: u16 = 5;
/// Type of a query for IPv6 addresses.
pub const AAAA: u16 = 28;

impl NameServer {
    /// Starts a server, which runs until the process ends.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub fn start(listen: &str, zone: Zone) -> std::io::Result<Self> {
        let socket = UdpSocket::bind(listen)?;
        let address = socket.local_addr()?;
        let queries = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&queries);
        std::thread::spawn(move || {
            // Answers given so far, by name and type.
            let mut given = HashMap::new();
            let mut buffer = [0; 512];
            while let Ok((length, from)) = socket.recv_from(&mut buffer) {
                counter.fetch_add(1, Ordering::SeqCst);
                let Some((name, kind, end)) = question(&buffer[..length]) else { continue };
                let answers = zone.iter().find(|(known, _)| *known == name).map(|(_, answers)| answers);
                let turn: &mut usize = given.entry((name, kind)).or_default();
                let records = answers.and_then(|answers| answers.get((*turn).min(answers.len() - 1)));
                *turn += 1;
                if let Some(answer) = answer(&buffer[..end], kind, records.map(Vec::as_slice)) {
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        Ok(Self { address, queries })
    }

    /// Number of queries so far.
    #[must_use]
    pub fn queries(&self) -> usize {
        self.queries.load(Ordering::SeqCst)
    }
}

/// Name and type of a query, and where its question ends.
fn question(query: &[u8]) -> Option<(String, u16, usize)> {
    let mut labels = Vec::new();
    let mut at = 12;
    loop {
        let length = usize::from(*query.get(at)?);
        if length == 0 {
            break;
        }
        labels.push(String::from_utf8_lossy(query.get(at + 1..at + 1 + length)?).to_ascii_lowercase());
        at += 1 + length;
    }
    let kind = u16::from_be_bytes([*query.get(at + 1)?, *query.get(at + 2)?]);
    (query.len() >= at + 5).then(|| (labels.join("."), kind, at + 5))
}

/// The response to a query that was cut after its question. `None`: the name does not exist.
fn answer(query: &[u8], kind: u16, records: Option<&[Record]>) -> Option<Vec<u8>> {
    let mut answer = query.to_vec();
    let exists = u8::from(records.is_none()) * 3;
    answer[2..4].copy_from_slice(&[0x85, 0x80 | exists]);
    // One question, and no records but answers.
    answer[4..12].copy_from_slice(&[0, 1, 0, 0, 0, 0, 0, 0]);
    // A pointer to the name of the question.
    let mut owner = vec![0xc0, 12];
    let mut count = 0u8;
    for record in records.unwrap_or_default() {
        let (of, data) = match record {
            Record::Silence => return None,
            Record::CutOff => {
                answer.extend([0xc0, 12, 0]);
                count += 1;
                break;
            }
            Record::A(address) => (A, address.octets().to_vec()),
            Record::Aaaa(address) => (AAAA, address.octets().to_vec()),
            Record::Cname(target) => (CNAME, encoded(target)),
        };
        if of == CNAME || of == kind {
            answer.extend_from_slice(&owner);
            answer.extend(of.to_be_bytes());
            // Class IN, time to live zero.
            answer.extend([0, 1, 0, 0, 0, 0]);
            answer.extend(u16::try_from(data.len()).expect("a short record").to_be_bytes());
            answer.extend_from_slice(&data);
            count += 1;
        }
        if of == CNAME {
            owner = data;
        }
    }
    answer[7] = count;
    Some(answer)
}

fn encoded(name: &str) -> Vec<u8> {
    let labels = name.split('.').flat_map(|label| {
        let length = u8::try_from(label.len()).expect("a short label");
        [length].into_iter().chain(label.bytes())
    });
    labels.chain([0]).collect()
}
