//! Import of maps, heights, imagery and surveys.

#![cfg(test)]

mod bombs;
mod completeness;
mod downloads;
mod heights;
mod imagery;
mod importing;
mod land_cover;
mod map;
mod relief;
mod surveys;
mod test_data;
