//! Measures crowns, and drops those that are no trees.

use super::crowns::{Crowns, NONE};
use super::surface::Surface;
use super::{CELL, Echo, LEAST_HEIGHT, Tree};

/// Smallest crown: echoes, and square meters.
const LEAST_ECHOES: usize = 8;
const LEAST_AREA: f64 = 1.25;
/// Leaves and twigs let a part of most pulses through; cars, walls and scaffolds do not.
const LEAST_MULTIPLE: f64 = 0.3;
/// Narrowest crown, as the spread of its echoes across, meters: walls and wires are narrower.
const LEAST_SPREAD: f64 = 0.3;
/// Cells below this share of the height of a tree are not part of its crown.
const SKIRT: f64 = 0.25;
/// Share of the crown near the top: little in a cone, much in a dome.
const NEAR_TOP: f64 = 0.8;
const CONE: f64 = 0.1;
const DOME: f64 = 0.3;
/// Trees whose shape can be judged.
const SHAPED_ECHOES: usize = 100;
const SHAPED_HEIGHT: f64 = 6.0;

/// The trees among the crowns, in meters from the corner of the grid.
pub(super) fn measure(surface: &Surface, crowns: &Crowns, echoes: &[Echo]) -> Vec<Tree> {
    let has_multiple = echoes.iter().any(|echo| echo.is_multiple);
    let mut echoes_of: Vec<Vec<Echo>> = vec![Vec::new(); crowns.count];
    for echo in echoes {
        let label = crowns.labels[surface.cell_of(echo)];
        if label != NONE {
            echoes_of[label as usize].push(*echo);
        }
    }
    let mut cells_of: Vec<Vec<usize>> = vec![Vec::new(); crowns.count];
    for (cell, &label) in crowns.labels.iter().enumerate().filter(|(_, label)| **label != NONE) {
        cells_of[label as usize].push(cell);
    }
    let crowns = echoes_of.iter().zip(&cells_of);
    crowns.filter_map(|(echoes, cells)| tree(surface, echoes, cells, has_multiple)).collect()
}

fn tree(surface: &Surface, echoes: &[Echo], cells: &[usize], has_multiple: bool) -> Option<Tree> {
    if echoes.len() < LEAST_ECHOES {
        return None;
    }
    let height = top(echoes);
    if height < LEAST_HEIGHT {
        return None;
    }
    let crown: Vec<usize> =
        cells.iter().copied().filter(|&cell| f64::from(surface.tops[cell]) >= SKIRT * height).collect();
    let area = crown.len() as f64 * CELL * CELL;
    let multiple = share(echoes, |echo| echo.is_multiple);
    let is_plant = !has_multiple || multiple >= LEAST_MULTIPLE || share(echoes, |echo| echo.is_vegetation) > 0.5;
    if area < LEAST_AREA || !is_plant || spread(echoes) < LEAST_SPREAD {
        return None;
    }
    Some(Tree {
        at: center(surface, &crown)?,
        height,
        crown: 2.0 * (area / std::f64::consts::PI).sqrt(),
        is_conifer: is_conifer(surface, &crown, echoes, height),
    })
}

/// Height of a tree: its highest echo, unless that stands alone.
fn top(echoes: &[Echo]) -> f64 {
    let mut heights: Vec<f64> = echoes.iter().map(|echo| echo.height()).collect();
    heights.sort_by(|one, other| other.total_cmp(one));
    let third = heights[2.min(heights.len() - 1)];
    if heights[0] - third < 1.0 { heights[0] } else { third }
}

/// Center of a crown, where its high parts weigh more.
fn center(surface: &Surface, crown: &[usize]) -> Option<[f64; 2]> {
    let mut sum = [0.0; 3];
    for &cell in crown {
        let weight = f64::from(surface.blurred[cell]).powi(2);
        let [x, y] = surface.center(cell);
        sum = [sum[0] + x * weight, sum[1] + y * weight, sum[2] + weight];
    }
    (sum[2] > 0.0).then(|| [sum[0] / sum[2], sum[1] / sum[2]])
}

fn share(echoes: &[Echo], has: impl Fn(&Echo) -> bool) -> f64 {
    echoes.iter().filter(|echo| has(echo)).count() as f64 / echoes.len().max(1) as f64
}

/// Standard deviation of the echoes across their longest direction, meters.
fn spread(echoes: &[Echo]) -> f64 {
    let count = echoes.len() as f64;
    let sum = echoes.iter().fold([0.0; 2], |[x, y], echo| [x + echo.position()[0], y + echo.position()[1]]);
    let mean = sum.map(|part| part / count);
    let [xx, xy, yy] = echoes.iter().fold([0.0; 3], |[xx, xy, yy], echo| {
        let [x, y] = echo.position();
        let (dx, dy) = (x - mean[0], y - mean[1]);
        [xx + dx * dx, xy + dx * dy, yy + dy * dy]
    });
    let (half, offset) = ((xx + yy) / 2.0, ((xx - yy) / 2.0).hypot(xy));
    ((half - offset).max(0.0) / count).sqrt()
}

fn is_conifer(surface: &Surface, crown: &[usize], echoes: &[Echo], height: f64) -> Option<bool> {
    if echoes.len() < SHAPED_ECHOES || height < SHAPED_HEIGHT {
        return None;
    }
    let high = crown.iter().filter(|&&cell| f64::from(surface.tops[cell]) > NEAR_TOP * height).count();
    let share = high as f64 / crown.len().max(1) as f64;
    if share < CONE {
        Some(true)
    } else if share > DOME {
        Some(false)
    } else {
        None
    }
}
