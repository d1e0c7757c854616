//! `kill-campaign [KILLS]`: kills the server (500 times by default) while clients submit and poll. Fails if an
//! acknowledged job is lost, or a job is submitted or billed twice.

use std::path::Path;

#[expect(clippy::print_stdout, reason = "prints a report")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, data] = arguments.as_slice()
        && command == "complete"
    {
        aerie_e2e::kills::complete_jobs(Path::new(data));
    }
    let kills = arguments.first().map_or(500, |text| text.parse().expect("a number of kills"));
    let folder = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("path of this program");
    println!("{}", aerie_e2e::kills::campaign(kills, &folder.path().join("data"), &own));
}
