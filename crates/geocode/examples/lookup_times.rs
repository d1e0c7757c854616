//! Prints how long addresses take to be found in a map of invented towns: `lookup_times [ADDRESSES]`, a million by default.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use aerie_import::ImportOptions;
use aerie_math::Rng;

/// Houses of a street, and streets of a town.
const HOUSES: usize = 20;
const STREETS: usize = 50;
/// Names that the streets of all towns share.
const NAMES: usize = 4_000;
/// Lookups of each kind.
const LOOKUPS: usize = 300;

/// An invented name of two to four syllables.
fn name(rng: &mut Rng) -> String {
    const SYLLABLES: [&str; 32] = [
        "al", "bor", "ca", "den", "el", "fal", "gar", "hol", "in", "jas", "ker", "lan", "mor", "nel", "or", "pen",
        "qua", "ros", "sel", "tor", "ul", "var", "wes", "yar", "zel", "mi", "no", "ta", "ri", "du", "ke", "so",
    ];
    let text: String = (0..2 + rng.below(3)).map(|_| rng.pick(&SYLLABLES)).collect();
    text[..1].to_uppercase() + &text[1..]
}

struct Street {
    name: String,
    town: String,
    postcode: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let addresses: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse())?;
    let mut rng = Rng::new(7);
    let names: Vec<String> = (0..NAMES)
        .map(|_| {
            let kind = rng.pick(&["Street", "Avenue", "Road", "Lane", "Court", "Drive"]);
            let second = if rng.below(3) == 0 { format!(" {}", name(&mut rng)) } else { String::new() };
            format!("{}{second} {kind}", name(&mut rng))
        })
        .collect();
    let streets: Vec<Street> = (0..addresses / HOUSES)
        .map(|at| {
            let town = at / STREETS;
            let mut own = Rng::new(town as u64);
            Street {
                name: names[rng.below(names.len())].clone(),
                town: format!("{} {}", name(&mut own), name(&mut own)),
                postcode: format!("{:05}", 10_000 + town),
            }
        })
        .collect();
    let folder = std::env::temp_dir().join(format!("aerie-lookups-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = folder.join("towns.osm");
    write_map(&file, &streets)?;
    let started = Instant::now();
    aerie_import::import(&[file], &ImportOptions::new(&folder))?;
    println!("{addresses} addresses imported in {:.0} s", started.elapsed().as_secs_f64());

    let pack = aerie_sample_town::open(&folder)?;
    let memory = memory_kib().unwrap_or_default();
    println!("{:<28} {:>7} {:>9} {:>9} {:>9}", "", "found", "median", "99 %", "most");
    type Typed = fn(&Street, usize, &mut Rng) -> String;
    let kinds: [(&str, Typed); 8] = [
        ("as written", |s, n, _| format!("{n} {}, {} {}", s.name, s.postcode, s.town)),
        ("with an apartment", |s, n, _| format!("Apt 4, {n} {}, {}, {}", s.name, s.town, s.postcode)),
        ("kind of street left out", |s, n, _| {
            format!("{n} {}, {}", s.name.rsplit_once(' ').map_or("", |p| p.0), s.town)
        }),
        ("a firm first", |s, n, _| format!("Larch Holdings, {n} {}, {}", s.name, s.town)),
        ("a typo in the street", |s, n, rng| format!("{n} {}, {}", with_typo(&s.name, rng), s.town)),
        ("a typo in the town", |s, n, rng| format!("{n} {}, {}", s.name, with_typo(&s.town, rng))),
        ("a number that is not mapped", |s, n, _| format!("{} {}, {}", n + 500, s.name, s.town)),
        ("a street that is not mapped", |s, n, _| format!("{n} Wxyzquist Embankment, {}", s.town)),
    ];
    let mut all = Vec::new();
    for (kind, typed) in kinds {
        let (mut times, mut found) = (Vec::new(), 0);
        for _ in 0..LOOKUPS {
            let street = &streets[rng.below(streets.len())];
            let address = typed(street, 1 + rng.below(HOUSES), &mut rng);
            let started = Instant::now();
            found += usize::from(aerie_geocode::geocode(&pack, &address).is_ok());
            times.push(started.elapsed());
        }
        print_times(kind, found, &mut times);
        all.append(&mut times);
    }
    print_times("all", 0, &mut all);
    let after = memory_kib().unwrap_or_default();
    println!("memory {} MiB before the lookups, {} MiB after", memory / 1024, after / 1024);
    fs::remove_dir_all(&folder)?;
    Ok(())
}

fn print_times(kind: &str, found: usize, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("{kind:<28} {found:>7} {:>6.2} ms {:>6.2} ms {:>6.2} ms", at(50), at(99), at(100));
}

fn with_typo(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = 1 + rng.below(4);
    letters.swap(at, at + 1);
    letters.into_iter().collect()
}

fn write_map(file: &std::path::Path, streets: &[Street]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "<osm version=\"0.6\">")?;
    for (at, street) in streets.iter().enumerate() {
        let town = at / STREETS;
        let (lat, lon) = (30.0 + 0.02 * (town / 40) as f64, -100.0 + 0.02 * (town % 40) as f64);
        for house in 0..HOUSES {
            let (lat, lon) = (lat + 2e-4 * (at % STREETS) as f64, lon + 3e-4 * house as f64);
            writeln!(
                out,
                "<node id=\"{}\" version=\"1\" lat=\"{lat:.6}\" lon=\"{lon:.6}\"><tag k=\"addr:housenumber\" v=\"{}\"/>\
                 <tag k=\"addr:street\" v=\"{}\"/><tag k=\"addr:city\" v=\"{}\"/><tag k=\"addr:postcode\" v=\"{}\"/></node>",
                at * HOUSES + house + 1,
                house + 1,
                street.name,
                street.town,
                street.postcode
            )?;
        }
    }
    writeln!(out, "</osm>")?;
    out.flush()
}

/// Memory of this process, KiB.
fn memory_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}
