//! Prints measures of how empty a floor is.
use aerie_photo::room::{Hints, Layout};
use aerie_staging::light::Shell;
use aerie_staging::space::Space;
#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    for path in std::env::args().skip(1) {
        let photo = aerie_photo::decode_file(std::path::Path::new(&path)).expect("a photo");
        let Some(layout) = Layout::of(&photo, &Hints::of(&photo)) else {
            println!("{path}: none");
            continue;
        };
        let shell = Shell::of(Space::of(&layout, None), &photo);
        println!(
            "{:40} confident {} violations {:.3} edges {:.2} foot {:.2} litter {:.3}",
            path.rsplit('/').next().unwrap_or(""),
            layout.is_confident(),
            layout.evidence.violations,
            layout.evidence.edges,
            layout.evidence.foot,
            shell.clutter()
        );
    }
}
