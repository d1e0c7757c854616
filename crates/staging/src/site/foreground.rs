//! What the camera sees before the walls of the room: columns, counters, open doors, rails. Found by its foot on the floor.

use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, Vec2, Vec3};

use super::footprint::Footprint;
use crate::space::Space;

/// Angle between two directions in which the floor is searched, and the greatest angle to the side, radians.
const TURN: f32 = 0.01;
const MOST: f32 = 1.3;
/// Steps along the floor and up, meters.
const STEP: f32 = 0.04;
/// Distance from walls within which what is seen is the wall, and how much more that is at a distance: a cell of the segmentation shows
/// the more floor, the farther it is away.
const RIM: f32 = 0.2;
const RIM_FAR: f32 = 0.01;
/// Height below which a wall or a window on the floor is a reflection, and height of a door.
const REFLECTION: f32 = 0.35;
const DOOR: f32 = 1.5;
/// Least width of a door or of a fixture before which the floor stays free, meters.
const WIDE: f32 = 0.4;

/// Probabilities of what a point of the photo shows; `None` outside of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    pub(super) floor: f32,
    pub(super) wall: f32,
    pub(super) window: f32,
    pub(super) door: f32,
    pub(super) fixture: f32,
}

impl Sight {
    /// What a segmentation sees at a place; `None` where the photo does not show it.
    pub(super) fn of(space: &Space, segmentation: &Segmentation, place: Vec3) -> Option<Self> {
        let size = DVec2::new(space.camera.width as f64, space.camera.height as f64);
        let pixel = space.pixel(place).filter(|p| p.cmpge(DVec2::ZERO).all() && p.cmplt(size).all())?;
        let at = (pixel / size).to_array();
        let class = |class| segmentation.class(class, at);
        Some(Self {
            floor: class(Class::Floor),
            wall: class(Class::Wall),
            window: class(Class::Window),
            door: class(Class::Door),
            fixture: class(Class::Fixture) + class(Class::Furniture),
        })
    }

    fn is_thing(self) -> bool {
        self.wall + self.window + self.door + self.fixture > 0.6
    }

    /// Whether it is something else than a wall.
    fn is_special(self) -> bool {
        self.window + self.door + self.fixture > self.wall
    }
}

/// What stands on the floor in one direction.
#[derive(Debug, Clone, Copy)]
struct Post {
    /// Distance of its foot.
    reach: f32,
    /// Its height.
    top: f32,
}

/// What stands before the walls, by direction.
#[derive(Debug, Default)]
pub(super) struct Foreground {
    posts: Vec<Vec<Post>>,
    /// Feet of doors and fixtures.
    feet: Vec<Vec2>,
    eye: f32,
}

impl Foreground {
    /// Searches the floor in all directions, by what is seen at a place.
    pub(super) fn of(space: &Space, sight: impl Fn(Vec3) -> Option<Sight>) -> Self {
        let mut found = Self { eye: space.eye.z, ..Self::default() };
        let mut feet = Vec::new();
        for i in 0..=(2.0 * MOST / TURN) as u16 {
            let way = Vec2::from_angle(std::f32::consts::FRAC_PI_2 - (f32::from(i) * TURN - MOST));
            let (wall, _) = space.intersect(space.eye, way.extend(0.0));
            let mut posts = Vec::new();
            let mut seen = [false; 2];
            let mut is_floor = true;
            let mut reach = 0.4;
            let mut first = None;
            while reach < wall {
                let foot = way * reach;
                if let Some(at) = sight(foot.extend(0.0)) {
                    first.get_or_insert(reach);
                    seen = [seen[1], at.is_thing()];
                    if is_floor && seen[1] && (seen[0] || first == Some(reach)) {
                        is_floor = false;
                        posts.extend(post(space, &sight, way, reach));
                    } else if at.floor > 0.5 && !seen[0] {
                        is_floor = true;
                    }
                }
                reach += STEP;
            }
            // A fixture or a door, before the wall or in it.
            let shown = first.is_some_and(|first| first < wall - 0.1);
            let foot = posts.iter().find(|p| p.top > DOOR / 2.0).map_or(wall, |p| p.reach);
            feet.push((shown && is_kept_free(&sight, way * foot)).then_some(way * foot));
            found.posts.push(posts);
        }
        found.feet = wide(&feet);
        found
    }

    /// Share of the picture of a piece that shows something nearer than the piece.
    pub(super) fn covers(&self, space: &Space, print: &Footprint, height: f32) -> f32 {
        let bearing = print.corners().map(|c| c.x.atan2(c.y));
        let bin = |bearing: f32| ((bearing + MOST) / TURN).max(0.0);
        let low = bin(bearing.into_iter().fold(f32::MAX, f32::min)).ceil() as usize;
        let high = bin(bearing.into_iter().fold(f32::MIN, f32::max)) as usize;
        if self.posts.get(low..(high + 1).min(self.posts.len())).is_none_or(|here| here.iter().all(Vec::is_empty)) {
            return 0.0;
        }
        let (mut covered, mut all) = (0.0_f32, 0.0_f32);
        for i in low..(high + 1).min(self.posts.len()) {
            let way = Vec2::from_angle(std::f32::consts::FRAC_PI_2 - (i as f32 * TURN - MOST));
            let Some([near, far]) = print.crossed(way) else { continue };
            let point = |k: u8| {
                let share = (f32::from(k) + 0.5) / 6.0;
                if height > 0.05 { (near, height * share) } else { (near + (far - near) * share, 0.0) }
            };
            for (reach, up) in (0..6).map(point).filter(|(reach, up)| space.shows((way * *reach).extend(*up))) {
                all += 1.0;
                let hides = |post: &Post| {
                    post.reach < reach - STEP && self.eye + (up - self.eye) * post.reach / reach < post.top
                };
                covered += f32::from(u8::from(self.posts[i].iter().any(hides)));
            }
        }
        covered / all.max(1.0)
    }

    /// Distance from the nearest foot of a door or a fixture.
    pub(super) fn distance(&self, print: &Footprint) -> f32 {
        self.feet.iter().map(|foot| print.distance(*foot)).fold(f32::MAX, f32::min)
    }
}

/// What stands at a place where something other than floor is seen; `None` for the wall of the room and for reflections.
fn post(space: &Space, sight: &impl Fn(Vec3) -> Option<Sight>, way: Vec2, reach: f32) -> Option<Post> {
    let foot = way * reach;
    if space.clearance(foot) < RIM + RIM_FAR * reach * reach / space.eye.z {
        return None;
    }
    let kind = sight(foot.extend(0.02))?;
    let belongs = |at: Sight| {
        let special = at.door + at.fixture + if kind.window > kind.fixture { at.window } else { 0.0 };
        at.floor < 0.5 && if kind.is_special() { special > 0.4 } else { at.wall + special > 0.5 }
    };
    let mut top = 0.0;
    while top < space.height {
        match sight(foot.extend(top + STEP)) {
            Some(at) if belongs(at) => top += STEP,
            Some(_) => break,
            // Above the picture nothing tells its height.
            None => top = space.height,
        }
    }
    let is_real = top >= REFLECTION || (kind.fixture > 0.5 && top > 0.1);
    is_real.then_some(Post { reach, top })
}

/// Whether a door or a fixture stands at a place.
fn is_kept_free(sight: &impl Fn(Vec3) -> Option<Sight>, foot: Vec2) -> bool {
    let mean = |heights: [f32; 2], of: fn(Sight) -> f32| {
        let at = |k: u8| sight(foot.extend(heights[0] + (heights[1] - heights[0]) * f32::from(k) / 7.0));
        let seen: Vec<f32> = (0..8).filter_map(at).map(of).collect();
        if seen.len() < 4 { 0.0 } else { seen.iter().sum::<f32>() / seen.len() as f32 }
    };
    mean([0.2, DOOR], |s| s.door) > 0.6 || mean([0.15, 0.75], |s| s.fixture) > 0.6
}

/// The places of runs that are wide enough to be a door or a fixture.
fn wide(feet: &[Option<Vec2>]) -> Vec<Vec2> {
    let runs = feet.split(|foot| foot.is_none());
    let is_wide = |run: &&[Option<Vec2>]| match (run.first(), run.last()) {
        (Some(Some(a)), Some(Some(b))) => (*a - *b).length() > WIDE,
        _ => false,
    };
    runs.filter(is_wide).flatten().filter_map(|foot| *foot).collect()
}

#[cfg(test)]
mod tests {
    use aerie_photo::room::Camera;

    use super::*;
    use crate::space::{Surface, boxed};

    fn room() -> Space {
        let camera = Camera::turned(900, 600, 600.0, -0.12, 0.0, 0.0);
        boxed(camera, 1.5, Vec2::new(-3.0, -1.0), Vec2::new(3.0, 6.0), 2.6)
    }

    /// A piece a meter wide and deep, `away` meters from the camera.
    fn print(away: f32) -> Footprint {
        Footprint { center: Vec2::new(0.0, away), half: Vec2::splat(0.5), yaw: 0.0 }
    }

    /// What the photo of a room shows in which a block stands from `low` to `high`.
    fn before(space: &Space, [low, high]: [Vec3; 2], block: Sight) -> impl Fn(Vec3) -> Option<Sight> {
        move |place| {
            space.shows(place).then(|| {
                let ray = place - space.eye;
                let (a, b) = ((low - space.eye) / ray, (high - space.eye) / ray);
                let (near, far) = (a.min(b).max_element().max(0.0), a.max(b).min_element());
                if near < far {
                    block
                } else if place.z < 0.01 || space.intersect(space.eye, ray).1 == Surface::Floor {
                    Sight { floor: 1.0, ..Sight::default() }
                } else {
                    Sight { wall: 1.0, ..Sight::default() }
                }
            })
        }
    }

    #[test]
    fn what_stands_behind_a_column_would_be_drawn_over_it_and_what_stands_before_it_would_not() {
        let space = room();
        let column = [Vec3::new(-0.1, 3.4, 0.0), Vec3::new(0.1, 3.6, 2.6)];
        let found = Foreground::of(&space, before(&space, column, Sight { wall: 1.0, ..Sight::default() }));
        assert!(found.covers(&space, &print(4.8), 0.8) > 0.1);
        assert!(found.covers(&space, &print(4.8), 0.01) > 0.1);
        assert_eq!(found.covers(&space, &print(2.6), 0.8), 0.0);
        let aside = Footprint { center: Vec2::new(1.6, 4.8), ..print(4.8) };
        assert_eq!(found.covers(&space, &aside, 0.8), 0.0);
    }

    #[test]
    fn what_is_higher_than_a_counter_is_seen_over_it_but_its_foot_is_not() {
        let space = room();
        let island = [Vec3::new(-1.0, 3.0, 0.0), Vec3::new(1.0, 3.7, 0.9)];
        let found = Foreground::of(&space, before(&space, island, Sight { fixture: 1.0, ..Sight::default() }));
        let [low, high] = [0.6, 2.0].map(|height| found.covers(&space, &print(5.2), height));
        assert!(low > 0.9 && (0.1..0.6).contains(&high), "{low} {high}");
        // A person works at the counter.
        assert!(found.distance(&print(2.2)) < 0.4 && found.distance(&print(1.5)) > 0.8);
    }

    #[test]
    fn a_window_that_a_glossy_floor_reflects_hides_nothing() {
        let space = room();
        let glare = [Vec3::new(-0.5, 3.0, -0.01), Vec3::new(0.5, 4.0, 0.005)];
        let found = Foreground::of(&space, before(&space, glare, Sight { window: 1.0, ..Sight::default() }));
        assert_eq!(found.covers(&space, &print(4.8), 0.8), 0.0);
    }
}
