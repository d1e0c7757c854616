//! Registration of pictures: features and their matches, robust estimation, and refinement to a fraction of a pixel.
//!
//! A picture is a [`Plane`] of lightness. [`features`] are matched by [`Lookalikes`], [`consensus`] finds the model that most matches
//! agree with, and [`Level::refined`] refines it. Two models are built in: a [`Homography`] of the plane, and the
//! [`RelativePose`] of two cameras. The crate does not know what pictures show. The same input gives the same result, whatever the number
//! of threads.
//!
//! No crate was found that has all of this: `imageproc` has neither scale-invariant features nor epipolar geometry, and those of Rust CV bring
//! nalgebra and versions of `image` of their own.
mod box_filter;
mod consensus;
mod direct;
mod feature;
mod five_point;
mod homography;
mod matching;
mod overlap;
mod plane;
mod relative_pose;

pub use box_filter::box_mean;
pub use consensus::consensus;
pub use direct::{Level, Warp, correlation};
pub use feature::{CELLS, Descriptor, Feature, Histogram, Sensitivity, features, turned};
pub use homography::{Frame, Homography};
pub use matching::{Limits, Lookalikes};
pub use overlap::affine_between;
pub use plane::Plane;
pub use relative_pose::{Estimate, Lens, RelativePose};
