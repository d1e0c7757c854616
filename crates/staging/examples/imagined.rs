//! Writes imagined rooms: `imagined FROM TO FOLDER [WIDTH]`.
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let width: usize = args.get(4).map_or(960, |w| w.parse().expect("a width"));
    let style = Style { width, height: width * 2 / 3, casual: 0.0, ..Style::default() };
    for seed in args[1].parse::<u64>().expect("a seed")..args[2].parse().expect("a seed") {
        let imagined = imagine(seed, &style);
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
        std::fs::write(format!("{}/i{seed}.jpg", args[3]), view.jpeg(&Developing::default(), 92)).expect("written");
    }
}
