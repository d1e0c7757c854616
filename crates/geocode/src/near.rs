//! Texts within a number of edits of a pattern, as an automaton over their letters.

use fst::Automaton;

/// Maximum number of edits.
pub(crate) const MOST: usize = 3;
/// Places around the one in the pattern to which that many edits lead.
const BAND: usize = 2 * MOST + 1;

/// Accepts the texts within `most` edits (optimal string alignment) of a pattern whose first `fixed` letters are right.
pub(crate) struct Near<'a> {
    pub(crate) pattern: &'a [u8],
    /// At most [`MOST`].
    pub(crate) most: usize,
    pub(crate) fixed: usize,
    /// Accept any text that begins with such a text.
    pub(crate) is_beginning: bool,
}

/// The state after some letters of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    letters: usize,
    last: u8,
    /// Edits from beginnings of the pattern to these letters, without the last of them, and with it. In the middle is the beginning with
    /// as many letters.
    rows: [[u8; BAND]; 2],
    /// True once these letters, or a beginning of them, are accepted.
    is_reached: bool,
}

/// More edits than any.
const TOO_MANY: u8 = MOST as u8 + 1;

impl Near<'_> {
    /// Letters of the pattern at a place of the band.
    fn beginning(&self, letters: usize, place: usize) -> Option<usize> {
        (letters + place).checked_sub(MOST).filter(|beginning| *beginning <= self.pattern.len())
    }

    fn state(&self, letters: usize, last: u8, rows: [[u8; BAND]; 2], was_reached: bool) -> State {
        let whole = (0..BAND).find(|place| self.beginning(letters, *place) == Some(self.pattern.len()));
        let is_near = whole.is_some_and(|place| usize::from(rows[1][place]) <= self.most);
        State { letters, last, rows, is_reached: is_near || (was_reached && self.is_beginning) }
    }
}

impl Automaton for Near<'_> {
    /// `None` where nothing is near any more.
    type State = Option<State>;

    fn start(&self) -> Self::State {
        let mut row = [TOO_MANY; BAND];
        (MOST..BAND).for_each(|place| row[place] = (place - MOST) as u8);
        Some(self.state(0, 0, [[TOO_MANY; BAND], row], false))
    }

    fn is_match(&self, state: &Self::State) -> bool {
        state.is_some_and(|state| state.is_reached)
    }

    fn can_match(&self, state: &Self::State) -> bool {
        state.is_some()
    }

    fn will_always_match(&self, state: &Self::State) -> bool {
        self.is_beginning && self.is_match(state)
    }

    fn accept(&self, state: &Self::State, letter: u8) -> Self::State {
        let state = (*state)?;
        let letters = state.letters + 1;
        if letters <= self.fixed && self.pattern.get(state.letters) != Some(&letter) {
            return None;
        }
        let [before, last] = state.rows;
        let mut row = [TOO_MANY; BAND];
        for place in 0..BAND {
            let Some(beginning) = self.beginning(letters, place) else { continue };
            let mut edits = if beginning == 0 { letters.min(usize::from(TOO_MANY)) as u8 } else { TOO_MANY };
            if beginning > 0 {
                edits = edits.min(last[place] + u8::from(self.pattern[beginning - 1] != letter));
            }
            if place > 0 {
                edits = edits.min(row[place - 1] + 1);
            }
            if place + 1 < BAND {
                edits = edits.min(last[place + 1] + 1);
            }
            let is_exchanged = beginning > 1
                && state.letters > 0
                && letter == self.pattern[beginning - 2]
                && state.last == self.pattern[beginning - 1];
            if is_exchanged {
                edits = edits.min(before[place] + 1);
            }
            row[place] = edits.min(TOO_MANY);
        }
        let state = self.state(letters, letter, [last, row], state.is_reached);
        let may_be_near = row.iter().any(|edits| usize::from(*edits) <= self.most);
        (may_be_near || (self.is_beginning && state.is_reached)).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use aerie_geodata::names;
    use aerie_math::Rng;

    use super::*;

    fn accepts(near: &Near<'_>, text: &str) -> bool {
        let state = text.bytes().fold(near.start(), |state, letter| near.accept(&state, letter));
        near.is_match(&state)
    }

    #[test]
    fn texts_are_accepted_by_their_edit_distance() {
        let mut rng = Rng::new(5);
        let mut word = || (0..rng.below(9)).map(|_| char::from(rng.pick(b"abc"))).collect::<String>();
        let mut accepted = 0;
        for _ in 0..20_000 {
            let (pattern, text) = (word(), word());
            for most in 0..=MOST {
                let near = Near { pattern: pattern.as_bytes(), most, fixed: 0, is_beginning: false };
                let is_near = names::edit_distance(&pattern, &text, most).is_some();
                assert_eq!(accepts(&near, &text), is_near, "{pattern} {text} {most}");
                let is_begun = (0..=text.len()).any(|end| names::edit_distance(&pattern, &text[..end], most).is_some());
                assert_eq!(accepts(&Near { is_beginning: true, ..near }, &text), is_begun, "{pattern} {text} {most}");
                accepted += usize::from(is_near);
            }
        }
        assert!(accepted > 5_000, "{accepted}");
    }

    #[test]
    fn the_first_letters_may_be_fixed() {
        let near = Near { pattern: b"landstr", most: 2, fixed: 1, is_beginning: false };
        assert!(accepts(&near, "lamdsr") && !accepts(&near, "iandstr"));
    }
}
