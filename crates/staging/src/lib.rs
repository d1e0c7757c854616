//! Virtual staging: furniture for an empty room, from one photo. True to scale, in the light of the room, with the architecture left
//! as it is.
//!
//! [`Room::analyze`] reconstructs the room and its light; [`Room::stage`] furnishes it. A mask marks every changed pixel: outside the
//! mask, values are those of the photo.
//!
//! # Invariants
//!
//! - Nothing changes outside the mask. Tests: `outside_the_mask_not_one_value_differs_and_inside_furniture_is_seen`,
//!   `a_picture_without_furniture_is_the_photo_to_the_bit`.
//! - No piece overlaps another, blocks a door, or is placed outside the room or behind a column. Tests:
//!   `no_piece_stands_in_another_before_a_door_or_outside_in_many_random_rooms`,
//!   `nothing_is_put_behind_a_column_that_reaches_above_the_camera`.
//! - An arrangement that is sent back gives the same picture. Test:
//!   `an_arrangement_that_is_sent_back_is_the_same_picture_and_one_piece_can_be_moved_removed_or_recolored`.
//! - A second photo shows the same furniture only where its registration is beyond doubt (`views/judgment.rs`). Test in `engines`:
//!   `another_photo_of_a_room_shows_the_same_furniture_and_one_of_another_room_says_that_it_does_not`.
//! - Layers of a staged picture, put together, are that picture. Test:
//!   `layers_put_together_again_are_the_picture_and_behind_furniture_lies_the_empty_room`.
//! - An unusable model of an operator is left out and reported, with the fix. Test:
//!   `an_unusable_model_is_left_out_and_its_problem_and_fix_are_reported`.

pub mod arrange;
pub mod asked;
pub mod composite;
pub mod effort;
pub mod grid;
mod images;
mod layers;
pub mod light;
pub mod monitor;
pub mod room;
mod sampling;
pub mod site;
pub mod space;
pub mod studio;
pub mod trace;
pub mod views;

pub use arrange::RoomPlan;
pub use asked::Asked;
pub use composite::Composite;
pub use effort::Effort;
pub use images::decode_pixels;
pub use monitor::Monitor;
pub use room::{Brief, FirstView, FurnitureItem, Refusal, Room, RoomHints, Staged};
