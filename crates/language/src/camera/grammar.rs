//! Meanings of clauses of camera prompts.

use super::compound::split;
use super::item::{CameraMove, Direction, Item, Refusal, Verb, WORDS};
use crate::class::Class;
use crate::lexicon::Reading;

/// Moves and manner of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moves {
    pub(super) moves: Vec<CameraMove>,
    /// Those of them whose side was not named.
    pub(super) unsided: Vec<CameraMove>,
    /// Factor on how far the camera goes.
    pub(super) strength: f64,
    /// True if the moves are to be avoided.
    pub(super) is_negated: bool,
    /// The last verb, for a clause that goes on with another side.
    pub(super) verb: Option<Verb>,
    /// True if a move changes the lens ("zoom").
    pub(super) is_zoom: bool,
    /// True if the parallax was asked for in passing, without a direction.
    pub(super) is_plain_parallax: bool,
    /// True if the clause says how another is done ("with a pull back").
    pub(super) is_means: bool,
    /// True if it names what the camera is moved with ("crane").
    pub(super) has_instrument: bool,
    /// True if it names a direction.
    pub(super) has_direction: bool,
    /// True if directions are all that it names ("the left side").
    pub(super) only_directs: bool,
}

/// Factor of moves that are fast by themselves.
const RAPID: f64 = 1.3;
/// Factor of a manner that is the opposite of slow.
const OPPOSITE_OF_SLOW: f64 = 1.3;
/// Factor of a manner that is the opposite of fast.
const OPPOSITE_OF_FAST: f64 = 0.65;

/// Meaning of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    Moves(Moves),
    /// Describes an earlier clip: its verb, and a factor on how far the camera goes.
    Earlier(Option<Verb>, f64),
    /// Says where the clip begins or ends, or asks for what is always so.
    Remark,
    /// Asks for nothing by itself ("180 degrees").
    Filler,
    /// Refused; other words of the clause may still move the camera.
    Refused(Refusal, Option<Moves>),
    Unknown,
}

/// Reads the words of a clause.
/// `before` is the verb of the clause that this one goes on with ("pan left, then right").
/// `earlier` is the verb of an earlier clip, which "go left this time" refers to.
pub(super) fn meaning(
    words: &[String],
    is_negated_before: bool,
    before: Option<Verb>,
    earlier: Option<Verb>,
) -> Meaning {
    let words = &with_compounds_split(preferred(words))[..];
    if let Some(rest) = after_exclusion(words) {
        return meaning(rest, false, before, earlier);
    }
    let mut items: Vec<Item> = Vec::new();
    let mut unknown = 0_usize;
    let mut has_begun = false;
    for reading in readings(words) {
        match reading.meaning {
            // "Stop panning", but "stop on the fireplace".
            Some(Item::End) if words[reading.at..].get(1).is_some_and(|next| next.ends_with("ing")) => {
                items.push(Item::No);
            }
            Some(item) => {
                has_begun |= !matches!(item, Item::Filler | Item::Manner(_) | Item::Very | Item::Too | Item::Less);
                items.push(item);
            }
            None if words[reading.at].starts_with(|c: char| c.is_ascii_digit()) => items.push(Item::Filler),
            // A target or a subject: "toward the credenza", "circle the ottoman".
            None if has_begun => items.push(Item::Filler),
            None => unknown += 1,
        }
    }
    let has_direction = items.iter().any(|item| matches!(item, Item::Direction(_)));
    let only_directs = has_direction && !items.iter().any(acts);
    if let Some(verb) = earlier {
        items.iter_mut().filter(|item| **item == Item::Verb(Verb::Go)).for_each(|item| *item = Item::Verb(verb));
    }
    let says_no = items.contains(&Item::No);
    let is_negated = says_no || is_negated_before;
    if let Some(verb) = before.filter(|_| is_side_only(&items)) {
        items.insert(0, Item::Verb(verb));
    }
    join_sides(words, &mut items);
    pass_targets(&mut items);
    let (mut moves, unsided) = moves(&items);
    if moves.is_empty() && only_widens(words) {
        moves.push(CameraMove::PullOut);
    }
    // "Without camera movement around the table" excludes what it names.
    if moves.contains(&CameraMove::Hold) && Class::Denying.begins(words) {
        moves = vec![CameraMove::Hold];
    }
    // "The orbit was nice, but too fast".
    if Class::Past.is_in(words) && !says_no {
        let verb = items.iter().rev().find_map(|item| if let Item::Verb(verb) = item { Some(*verb) } else { None });
        let is_fault = items.contains(&Item::Too);
        let strength = if is_fault { opposite(strength(&items)) } else { 1.0 };
        if verb.is_some() || is_fault {
            return Meaning::Earlier(verb, strength);
        }
    }
    let has_manner = items.iter().any(|item| matches!(item, Item::Manner(_)));
    let mut strength = strength(&items);
    let mut avoids = is_negated;
    if is_negated && has_manner && (moves.is_empty() || items.contains(&Item::Too)) {
        // "Not too fast" is slow; "not too slow" is neither.
        strength = if strength > 1.0 { OPPOSITE_OF_FAST } else { 1.0 };
        avoids = false;
    } else if has_manner && items.contains(&Item::Too) && !is_negated && moves.is_empty() {
        // "Too fast" complains of a clip before; "too slow" wants it faster.
        strength = opposite(strength);
    } else if items.contains(&Item::Less) && !is_negated {
        strength = if strength < 1.0 { 1.0 } else { OPPOSITE_OF_FAST };
    } else if is_negated {
        strength = 1.0;
    }
    // "The camera should not move".
    let goes = |item: &Item| matches!(item, Item::Verb(Verb::Go));
    let has_way = items.iter().any(|item| matches!(item, Item::Direction(_) | Item::Target | Item::Refused(_)));
    if avoids && moves.is_empty() && items.iter().any(goes) && !has_way {
        moves.push(CameraMove::Hold);
        avoids = false;
    }
    let refusals =
        || items.iter().filter_map(|item| if let Item::Refused(refusal) = item { Some(*refusal) } else { None });
    let refusal = refusals().find(|refusal| *refusal == Refusal::Sound).or(refusals().next());
    let read = Moves {
        is_negated: avoids,
        has_instrument: Class::Instrument.is_in(words),
        has_direction,
        only_directs,
        is_means: Class::Means.begins(words),
        strength,
        verb: items.iter().rev().find_map(|item| if let Item::Verb(verb) = item { Some(*verb) } else { None }),
        is_zoom: items.contains(&Item::Verb(Verb::Zoom)) || is_named_zoom(words),
        is_plain_parallax: moves == [CameraMove::ParallaxRight]
            && !items.iter().any(|item| matches!(item, Item::Direction(_))),
        moves,
        unsided,
    };
    // "Add some depth".
    let is_depth = matches!(read.moves[..], [CameraMove::ParallaxLeft | CameraMove::ParallaxRight]);
    if let Some(refusal) = refusal.filter(|refusal| *refusal != Refusal::Add || !is_depth) {
        if is_negated || items.contains(&Item::Too) && refusal == Refusal::Shake {
            // "No people", "without camera shake" is always so. "Push in without shaking" still moves.
            return Meaning::Remark;
        }
        let subject_moves = matches!(refusal, Refusal::Motion | Refusal::Add | Refusal::Cut);
        // "Bird's eye from straight above".
        let is_named = items.iter().any(|item| match item {
            Item::Verb(_) | Item::Move(_) | Item::Rapid(_) => true,
            Item::Usual(moves) => refusal != Refusal::View && moves.len() == 1,
            _ => false,
        });
        let passing = !subject_moves && !read.moves.is_empty() && is_named;
        return Meaning::Refused(refusal, passing.then_some(read));
    }
    // Words before the move may be its subject's name ("sofa, then pan"), but many of them are a description.
    if unknown > 1 || unknown > 0 && read.moves.is_empty() {
        return Meaning::Unknown;
    }
    if !read.moves.is_empty() || has_manner {
        return Meaning::Moves(read);
    }
    let is_place = |item: &Item| matches!(item, Item::Start | Item::End | Item::Showing | Item::Wide | Item::Close);
    match () {
        () if items.iter().any(is_place) => Meaning::Remark,
        () if unknown == 0 => Meaning::Filler,
        () => Meaning::Unknown,
    }
}

/// Returns whether an item moves the camera by itself.
fn acts(item: &Item) -> bool {
    matches!(item, Item::Move(_) | Item::Rapid(_) | Item::Usual(_) | Item::Verb(_))
}

/// Returns readings of the words, with what is around a corner apart from the verb before it ("go | around the
/// corner").
fn readings(words: &[String]) -> Vec<Reading<Item>> {
    let is_corner = |at: &usize| {
        let rest = words[*at..].iter().map(String::as_str).filter(|word| !["the", "that", "a"].contains(word));
        let next: Vec<&str> = rest.take(3).collect();
        matches!(next[..], ["around" | "round", "corner" | "bend"])
            || matches!(next[..], ["around" | "round", "corner" | "bend", after] if after != "of")
    };
    let Some(at) = (1..words.len()).find(is_corner) else { return WORDS.read(words) };
    let corner = WORDS.read(&words[at..]).into_iter().map(|reading| Reading { at: reading.at + at, ..reading });
    WORDS.read(&words[..at]).into_iter().chain(corner).collect()
}

/// Returns the high and low targets where the clip begins and ends ("end on the chandelier").
pub(super) fn ends(words: &[String]) -> Vec<Item> {
    let readings = WORDS.read(words);
    let is_end = |reading: &Reading<Item>| matches!(reading.meaning, Some(Item::Start | Item::End));
    let goes = Class::Origin.begins(words);
    let is_place = goes || readings.iter().any(is_end);
    let items = readings.iter().filter_map(|reading| reading.meaning.filter(|_| is_place));
    items.filter(|item| matches!(item, Item::High | Item::Low)).collect()
}

/// Returns whether none of the words has a meaning, so that they may be a name.
pub(super) fn is_unknown(words: &[String]) -> bool {
    /// Most words of a name.
    const LONGEST_NAME: usize = 2;
    words.len() <= LONGEST_NAME
        && WORDS.read(words).iter().all(|reading| matches!(reading.meaning, None | Some(Item::Filler)))
}

/// Returns whether a clause only asks for a wider view ("wider, wider").
fn only_widens(words: &[String]) -> bool {
    Class::Wider.is_in(words) && words.iter().all(|word| Class::Wider.has(word) || Class::Courtesy.has(word))
}

/// Returns factor of the manner that a complaint about another asks for.
fn opposite(strength: f64) -> f64 {
    match strength {
        slow if slow < 1.0 => OPPOSITE_OF_SLOW,
        fast if fast > 1.0 => OPPOSITE_OF_FAST,
        _ => 1.0,
    }
}

/// Returns the words, with German verbs and their directions apart ("ranfahren").
fn with_compounds_split(words: &[String]) -> Vec<String> {
    let is_known =
        |word: &String| WORDS.read(std::slice::from_ref(word)).iter().any(|reading| reading.meaning.is_some());
    let mut parts = Vec::with_capacity(words.len());
    for word in words {
        match split(word).filter(|_| !is_known(word)) {
            Some(split) => parts.extend(split.map(str::to_owned)),
            None => parts.push(word.clone()),
        }
    }
    parts
}

/// Returns the words before what is not wanted ("rather pan than zoom").
fn preferred(words: &[String]) -> &[String] {
    const PAIRS: [(&str, &str); 4] = [("rather", "than"), ("lieber", "als"), ("plutot", "que"), ("eher", "als")];
    let at = |from: usize, wanted: &str| Some(from + words.get(from..)?.iter().position(|word| word == wanted)?);
    let end = PAIRS.iter().find_map(|(first, second)| at(at(0, first)? + 2, second));
    &words[..end.unwrap_or(words.len())]
}

/// Returns the words after what is excluded, if they move the camera by themselves ("without zooming glide left").
fn after_exclusion(words: &[String]) -> Option<&[String]> {
    if !Class::Excluding.begins(words) {
        return None;
    }
    let moves = |item: Option<Item>| matches!(item, Some(Item::Move(_) | Item::Rapid(_) | Item::Verb(_)));
    let readings = WORDS.read(words);
    let excluded = readings.iter().position(|r| moves(r.meaning) || matches!(r.meaning, Some(Item::Refused(_))))?;
    let rest = &readings[excluded + 1..];
    // "Sans mouvement de grue" excludes the crane.
    if rest.first().is_some_and(|next| ["de", "d", "of"].contains(&words[next.at].as_str())) {
        return None;
    }
    rest.iter().any(|reading| moves(reading.meaning)).then(|| &words[rest[0].at..])
}

/// Reads things that could move as targets, where they say where the camera goes ("circle around the fountain").
fn pass_targets(items: &mut [Item]) {
    let mut has_move = false;
    let mut is_target = false;
    for item in items {
        match item {
            Item::Refused(Refusal::Motion | Refusal::Add) if has_move && is_target => *item = Item::Filler,
            Item::Target | Item::Direction(_) => is_target = true,
            Item::Filler => {}
            Item::Move(_) | Item::Rapid(_) | Item::Verb(_) => (has_move, is_target) = (true, true),
            _ => is_target = false,
        }
    }
}

/// Reads two sides as a way ("from the sofa on the left to the window on the right").
fn join_sides(words: &[String], items: &mut [Item]) {
    let sides: Vec<usize> =
        (0..items.len()).filter(|i| matches!(items[*i], Item::Direction(Direction::Left | Direction::Right))).collect();
    let [from, to] = sides[..] else { return };
    if items[from] != items[to] && Class::Origin.is_in(words) {
        let is_rightward = items[to] == Item::Direction(Direction::Right);
        items[from] = Item::Direction(if is_rightward { Direction::Rightward } else { Direction::Leftward });
    }
}

/// Returns whether a clause says that something is not wanted.
pub(super) fn is_negation(words: &[String]) -> bool {
    WORDS.read(words).iter().any(|reading| reading.meaning == Some(Item::No))
}

/// Returns whether a clause takes back the one before it ("zoom is not wanted").
pub(super) fn takes_back(words: &[String]) -> bool {
    matches!(words, [not, what] if not == "not" && Class::Unwanted.has(what))
}

/// Returns whether a clause only forbids, so that what follows is forbidden ("avoid: zoom").
pub(super) fn only_forbids(words: &[String]) -> bool {
    let is_filler = |reading: &Reading<Item>| matches!(reading.meaning, Some(Item::No | Item::Filler));
    Class::Forbidding.is_in(words) && WORDS.read(words).iter().all(is_filler)
}

/// Returns whether a clause only names a side.
fn is_side_only(items: &[Item]) -> bool {
    items.iter().all(|item| match item {
        Item::Direction(direction) => is_sided(*direction) || matches!(direction, Direction::Up | Direction::Down),
        item => matches!(item, Item::Filler | Item::Manner(_) | Item::Very),
    }) && items.iter().any(|item| matches!(item, Item::Direction(_)))
}

fn is_named_zoom(words: &[String]) -> bool {
    words.iter().any(|word| word.starts_with("zoom"))
}

/// Returns moves of the items, in their order, and those of them whose side was not named.
fn moves(items: &[Item]) -> (Vec<CameraMove>, Vec<CameraMove>) {
    let (mut moves, mut unsided) = (Vec::new(), Vec::new());
    // The verb after each verb.
    let mut upcoming = (0..items.len()).filter(|i| matches!(items[*i], Item::Verb(_))).skip(1);
    let directions = |range: std::ops::Range<usize>| {
        items[range]
            .iter()
            .filter_map(|item| if let Item::Direction(direction) = item { Some(*direction) } else { None })
    };
    let mut used_before = 0;
    for (i, item) in items.iter().enumerate() {
        match item {
            Item::Move(named) | Item::Rapid(named) => moves.push(*named),
            Item::Verb(verb) => {
                let next = upcoming.next().unwrap_or(items.len());
                let after: Vec<Direction> = directions(i + 1..next).collect();
                let before: Vec<Direction> = directions(used_before..i).collect();
                used_before = i;
                let named = goes(*verb, &after, &before).or_else(|| height(*verb, items));
                let passed = || passes(*verb, &after, &before);
                let done = named.or_else(passed).or_else(|| move_of(*verb, None));
                unsided.extend(done.filter(|_| named.is_none()));
                moves.extend(done);
                let is_height = items.iter().any(|item| matches!(item, Item::High | Item::Low));
                // "Rise toward the ceiling" does not go forward.
                moves.extend(second(*verb, &after).filter(|_| !is_height));
            }
            _ => {}
        }
    }
    if moves.is_empty() {
        let usual = items.iter().find_map(|item| if let Item::Usual(moves) = item { Some(*moves) } else { None });
        // "A drone flight toward the house" says how it moves.
        let way = directions(0..items.len()).find(|to| !is_passing(*to)).filter(|_| usual.is_some()).and_then(alone);
        match way {
            Some(way) => moves.push(way),
            None => moves.extend(usual.unwrap_or_default()),
        }
    }
    let is_end = items.contains(&Item::End);
    let is_start = items.contains(&Item::Start);
    if moves.is_empty() && is_end {
        moves.extend(items.contains(&Item::Close).then_some(CameraMove::PushIn));
        moves.extend(items.contains(&Item::Wide).then_some(CameraMove::PullOut));
    }
    // "From the detail to the wide shot".
    let last = |wanted: Item| items.iter().rposition(|item| *item == wanted);
    if let (true, Some(wide), Some(close)) =
        (moves.is_empty() && !is_end && !is_start, last(Item::Wide), last(Item::Close))
    {
        moves.push(if wide > close { CameraMove::PullOut } else { CameraMove::PushIn });
    }
    if moves.is_empty() && !is_end && !is_start {
        moves.extend(directions(0..items.len()).next().and_then(alone));
    }
    let mut once: Vec<CameraMove> = Vec::new();
    for done in moves {
        if !once.contains(&done) {
            once.push(done);
        }
    }
    // "Slow pan to reveal the kitchen": the pan is how.
    if once.len() > 1 {
        once.retain(|done| *done != CameraMove::Reveal);
    }
    (once, unsided)
}

/// Returns where a verb that turns the camera looks, by what is named last ("look at the ceiling", "from the ceiling to
/// the floor").
fn height(verb: Verb, items: &[Item]) -> Option<CameraMove> {
    let turns =
        matches!(verb, Verb::Look | Verb::Tilt | Verb::Pan) && !items.contains(&Item::Direction(Direction::Across));
    let last = items.iter().rev().find(|item| matches!(item, Item::High | Item::Low)).filter(|_| turns)?;
    Some(if *last == Item::High { CameraMove::TiltUp } else { CameraMove::TiltDown })
}

/// Returns the move of a verb in the first direction that goes with it.
fn goes(verb: Verb, after: &[Direction], before: &[Direction]) -> Option<CameraMove> {
    let mut directions = after.iter().chain(before).copied();
    let travels = matches!(verb, Verb::Go | Verb::Fly | Verb::Push | Verb::Zoom | Verb::Pull | Verb::Slide);
    if travels && directions.clone().any(|to| to == Direction::Around) {
        // "Around the table to the left".
        return directions.find_map(|to| move_of(Verb::Orbit, Some(to)).filter(|_| is_sided(to)));
    }
    directions.filter(|to| !is_passing(*to)).find_map(|to| move_of(verb, Some(to)))
}

/// Returns the same for directions that only say what is passed, or give no side: "past the table", "around the table".
fn passes(verb: Verb, after: &[Direction], before: &[Direction]) -> Option<CameraMove> {
    let directions = || after.iter().chain(before).copied();
    let around = directions().find(|to| *to == Direction::Around);
    around.and_then(|to| move_of(verb, Some(to))).or_else(|| directions().find_map(|to| move_of(verb, Some(to))))
}

/// Returns whether a direction only says what is passed: where the camera goes counts more ("past the table into the
/// room").
fn is_passing(direction: Direction) -> bool {
    matches!(direction, Direction::Across | Direction::Over)
}

fn is_sided(direction: Direction) -> bool {
    use Direction::{Clockwise, Counterclockwise, Left, Leftward, Right, Rightward};
    matches!(direction, Left | Right | Leftward | Rightward | Clockwise | Counterclockwise)
}

/// Returns the move of a verb in a direction; `None` if that verb does not go with it.
fn move_of(verb: Verb, direction: Option<Direction>) -> Option<CameraMove> {
    use CameraMove::{
        Descend, FlyThrough, OrbitLeft, OrbitRight, PanLeft, PanRight, ParallaxLeft, ParallaxRight, PullOut, PushIn,
        Rise, SlideLeft, SlideRight, TiltDown, TiltUp,
    };
    use Direction::{
        Across, Around, Clockwise, Counterclockwise, Down, In, Left, Leftward, Out, Over, Right, Rightward, Through, Up,
    };
    let turned = |left, right| match direction {
        Some(Left | Leftward | Clockwise) => Some(left),
        Some(Right | Rightward | Counterclockwise | Across) => Some(right),
        _ => None,
    };
    match verb {
        Verb::Orbit => turned(OrbitLeft, OrbitRight).or(direction.is_none().then_some(OrbitRight)),
        Verb::Parallax => turned(ParallaxLeft, ParallaxRight).or(direction.is_none().then_some(ParallaxRight)),
        Verb::Tilt => match direction {
            Some(Up) | None => Some(TiltUp),
            Some(Down) => Some(TiltDown),
            _ => turned(PanLeft, PanRight),
        },
        Verb::Pan | Verb::Look => match direction {
            Some(Up) => Some(TiltUp),
            Some(Down) => Some(TiltDown),
            Some(Clockwise) => Some(PanRight),
            Some(Counterclockwise) => Some(PanLeft),
            Some(Around) => Some(PanRight),
            None if verb == Verb::Pan => Some(PanRight),
            _ => turned(PanLeft, PanRight),
        },
        Verb::Crane => match direction {
            Some(Down) => Some(Descend),
            Some(Up | Over) | None => Some(Rise),
            _ => None,
        },
        Verb::Sink => direction.is_none_or(|direction| direction == Down).then_some(Descend),
        Verb::Fly if direction == Some(Through) => Some(FlyThrough),
        Verb::Go | Verb::Fly | Verb::Push | Verb::Zoom | Verb::Pull | Verb::Slide => match direction {
            Some(In | Through) => Some(PushIn),
            Some(Out) => Some(PullOut),
            Some(Up | Over) => Some(Rise),
            Some(Down) => Some(Descend),
            Some(Around) => Some(OrbitRight),
            Some(Clockwise) => Some(OrbitLeft),
            Some(Counterclockwise) => Some(OrbitRight),
            Some(_) => turned(SlideLeft, SlideRight),
            None => match verb {
                Verb::Push | Verb::Zoom => Some(PushIn),
                Verb::Pull => Some(PullOut),
                Verb::Slide => Some(SlideRight),
                _ => None,
            },
        },
    }
}

/// Returns a second move that the same verb is given ("rise up and forward", "glide forward to the left").
fn second(verb: Verb, directions: &[Direction]) -> Option<CameraMove> {
    match (verb, directions) {
        (Verb::Crane | Verb::Sink, [Direction::Up | Direction::Down, Direction::In, ..] | [Direction::In, ..]) => {
            Some(CameraMove::PushIn)
        }
        (Verb::Crane | Verb::Sink, [Direction::Up | Direction::Down, Direction::Out, ..] | [Direction::Out, ..]) => {
            Some(CameraMove::PullOut)
        }
        _ => None,
    }
}

/// Returns the move of a direction without a verb ("toward the window").
fn alone(direction: Direction) -> Option<CameraMove> {
    match direction {
        Direction::Around => move_of(Verb::Orbit, None),
        direction => move_of(Verb::Go, Some(direction)),
    }
}

/// Returns factor by words of manner, with those that strengthen them.
fn strength(items: &[Item]) -> f64 {
    let mut strength = 1.0;
    for (i, item) in items.iter().enumerate() {
        if matches!(item, Item::Rapid(_)) {
            strength *= RAPID;
        }
        if let Item::Manner(factor) = item {
            let is_strengthened = i > 0 && items[i - 1] == Item::Very;
            strength *= match (is_strengthened, *factor < 1.0) {
                // "Very smooth" is not fast.
                (true, _) if (*factor - 1.0).abs() < f32::EPSILON => 1.0,
                (false, _) => f64::from(*factor),
                (true, true) => 0.77 * f64::from(*factor),
                (true, false) => 1.1 * f64::from(*factor),
            };
        }
    }
    strength
}
