//! Which moves suit a photo of a film.

use aerie_clip::camera_path::roomier_on_the_right;
use aerie_clip::prompt::CameraMove;
use aerie_clip::{CameraPrompt, CameraRequest, Kind, Proxy};

/// Kinds of moves that look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Push,
    Slide,
    Rise,
    Orbit,
}

impl Family {
    /// The family of the first of a photo's moves.
    pub(super) fn of(verbs: &[CameraMove]) -> Option<Self> {
        Some(match verbs.first()? {
            CameraMove::PushIn | CameraMove::PullOut => Self::Push,
            CameraMove::SlideLeft | CameraMove::SlideRight => Self::Slide,
            CameraMove::Rise => Self::Rise,
            CameraMove::OrbitLeft | CameraMove::OrbitRight => Self::Orbit,
            _ => return None,
        })
    }
}

/// Moves for a photo, best first: those of the prompt, or else the one along the way to or from another photo, or else those that suit
/// what the photo shows. `last` is the family of the move of the photo before it, which comes last.
pub(super) fn candidates(
    proxy: &Proxy,
    wanted: &CameraRequest,
    last: Option<Family>,
    along: Option<CameraMove>,
) -> Vec<CameraRequest> {
    if !wanted.prompt.verbs.is_empty() {
        return vec![wanted.clone()];
    }
    if let Some(verb) = along.filter(|verb| !wanted.prompt.avoided.contains(verb)) {
        // A photo from which the camera pulls back is shown at the end of the move, and one that it pushes into at the beginning.
        let ends_in_photo = match verb {
            CameraMove::PullOut => true,
            CameraMove::PushIn => false,
            _ => wanted.ends_in_photo,
        };
        return vec![CameraRequest { ends_in_photo, ..with(wanted, verb) }];
    }
    use Family::{Orbit, Push, Rise, Slide};
    let mut families = match proxy.kind {
        Kind::Room | Kind::Flat if wanted.something_ahead => vec![Push, Slide],
        Kind::Room | Kind::Flat => vec![Slide, Push],
        Kind::Facades => vec![Orbit, Rise],
        Kind::Exterior => vec![Rise, Orbit],
    };
    // Stable: the order stays but for the last one.
    families.sort_by_key(|family| Some(*family) == last);
    let is_right = roomier_on_the_right(proxy);
    let verb = |family: Family| match family {
        Push if wanted.ends_in_photo => CameraMove::PullOut,
        Push => CameraMove::PushIn,
        Slide if is_right => CameraMove::SlideRight,
        Slide => CameraMove::SlideLeft,
        Rise => CameraMove::Rise,
        Orbit if is_right => CameraMove::OrbitRight,
        Orbit => CameraMove::OrbitLeft,
    };
    let verbs = families.into_iter().map(verb).filter(|verb| !wanted.prompt.avoided.contains(verb));
    let mut requests: Vec<CameraRequest> = verbs.map(|verb| with(wanted, verb)).collect();
    if requests.is_empty() {
        requests.push(wanted.clone());
    }
    requests
}

fn with(wanted: &CameraRequest, verb: CameraMove) -> CameraRequest {
    let prompt = CameraPrompt { verbs: vec![verb], ..wanted.prompt.clone() };
    CameraRequest { prompt, ..wanted.clone() }
}

#[cfg(test)]
mod tests {
    use aerie_clip::{Frame, Level};
    use aerie_photo::Photo;

    use super::*;

    fn moves(kind: Kind, prompt: &str, last: Option<Family>, along: Option<CameraMove>) -> Vec<CameraMove> {
        let photo = Photo::new(30, 20, vec![[0; 3]; 600]);
        let proxy = Proxy { kind, ..Proxy::flat(&photo, &Frame::cut([30, 20], [30, 20], [15.0, 10.0])) };
        let wanted = CameraRequest {
            prompt: CameraPrompt::parse(Some(prompt)),
            level: Level::Medium,
            ends_in_photo: false,
            seconds: 4.0,
            something_ahead: true,
        };
        candidates(&proxy, &wanted, last, along).iter().map(|wanted| wanted.prompt.verbs[0]).collect()
    }

    #[test]
    fn a_photo_does_not_move_as_the_one_before_it_if_it_can_do_otherwise() {
        for (kind, families) in [
            (Kind::Room, [Family::Push, Family::Slide]),
            (Kind::Flat, [Family::Push, Family::Slide]),
            (Kind::Facades, [Family::Orbit, Family::Rise]),
            (Kind::Exterior, [Family::Rise, Family::Orbit]),
        ] {
            for last in families.map(Some).into_iter().chain([None]) {
                let first = Family::of(&moves(kind, "slow", last, None)[..1]);
                assert!(first.is_some() && first != last, "{kind:?} after {last:?}");
            }
            assert_eq!(Family::of(&moves(kind, "", None, None)), Some(families[0]));
        }
    }

    #[test]
    fn a_prompt_is_obeyed_in_every_photo_and_a_way_to_another_photo_comes_next() {
        let slide = Some(CameraMove::SlideLeft);
        assert_eq!(moves(Kind::Room, "tilt up", Some(Family::Slide), slide), [CameraMove::TiltUp]);
        assert_eq!(moves(Kind::Room, "", Some(Family::Slide), slide), [CameraMove::SlideLeft]);
        assert_eq!(moves(Kind::Room, "no zoom", None, Some(CameraMove::PushIn))[..1].len(), 1);
        assert!(!moves(Kind::Room, "no zoom", None, Some(CameraMove::PushIn)).contains(&CameraMove::PushIn));
    }
}
