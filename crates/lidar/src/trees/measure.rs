//! Measures crowns, and drops those that are no trees.

use super::crowns::{Crowns, NONE};
use super::echo::{CELL, Echo, LEAST_HEIGHT, Tree};
use super::surface::Surface;

/// Smallest crown: echoes, and square meters.
const LEAST_ECHOES: usize = 8;
const LEAST_AREA: f64 = 1.25;
/// Leaves and twigs let a part of most pulses through; cars, walls and scaffolds do not. How many depends on the season and the sensor:
/// the share of split pulses of a tree, and that share compared with all unclassified echoes of its survey.
const LEAST_MULTIPLE: f64 = 0.3;
const LEAST_OF_USUAL: f64 = 0.7;
/// Lamps and wires are flat on top: spread of the heights of the upper half of a tree, as a share of its height.
const LEAST_DEPTH: f64 = 0.04;
const DEEP_HEIGHT: f64 = 5.0;
/// Narrowest crown, as the spread of its echoes across, meters: walls and wires are narrower.
const LEAST_SPREAD: f64 = 0.22;
/// Width of a crown as a share of its height: masts and chimneys are more slender.
const SLENDEREST: f64 = 0.1;
/// Where a tree is drawn between the middle of its crown and its stem.
const STEM: f64 = 0.7;
/// A highest echo that stands higher above the third highest, as a share of the height, is a bird.
const LONE: f64 = 0.1;
/// Cells below this share of the height of a tree are not part of its crown.
const SKIRT: f64 = 0.25;
/// Share of the crown near the top: little in a cone, much in a dome.
const NEAR_TOP: f64 = 0.8;
const CONE: f64 = 0.13;
const DOME: f64 = 0.3;
/// A cone is slim, as a share of its height, and has its top over its middle, as a share of its width.
const SLIM: f64 = 0.6;
const CENTERED: f64 = 0.2;
/// Trees whose shape can be judged.
const SHAPED_ECHOES: usize = 100;
const SHAPED_HEIGHT: f64 = 7.0;

/// The trees among the crowns, in meters from the corner of the grid.
pub(super) fn measure(surface: &Surface, crowns: &Crowns, stems: &[Option<[f64; 2]>], echoes: &[Echo]) -> Vec<Tree> {
    // In a survey of single echoes, nothing can be told from them.
    let usual = multiple(echoes);
    let least_multiple = if usual > 0.0 { LEAST_MULTIPLE.max(LEAST_OF_USUAL * usual) } else { 0.0 };
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
    let crowns = echoes_of.iter().zip(&cells_of).zip(stems);
    crowns.filter_map(|((echoes, cells), stem)| tree(surface, echoes, cells, *stem, least_multiple)).collect()
}

fn tree(
    surface: &Surface,
    echoes: &[Echo],
    cells: &[usize],
    stem: Option<[f64; 2]>,
    least_multiple: f64,
) -> Option<Tree> {
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
    let is_plant = multiple(echoes) >= least_multiple || share(echoes, |echo| echo.is_vegetation) > 0.5;
    let is_flat = height > DEEP_HEIGHT && depth(echoes, height) < LEAST_DEPTH * height;
    if area < LEAST_AREA || !is_plant || is_flat || spread(echoes) < LEAST_SPREAD {
        return None;
    }
    let middle = center(surface, &crown)?;
    let width = 2.0 * (area / std::f64::consts::PI).sqrt();
    let below = stem.filter(|stem| (stem[0] - middle[0]).hypot(stem[1] - middle[1]) <= width / 2.0);
    let at = below.map_or(middle, |stem| [0, 1].map(|axis| middle[axis] + STEM * (stem[axis] - middle[axis])));
    if width < SLENDEREST * height {
        return None;
    }
    Some(Tree {
        at,
        height,
        crown: width,
        is_conifer: if echoes.len() < SHAPED_ECHOES {
            None
        } else {
            is_conifer(surface, &crown, [height, width], middle)
        },
    })
}

/// Height of a tree: its highest echo, unless that stands alone.
fn top(echoes: &[Echo]) -> f64 {
    let mut heights: Vec<f64> = echoes.iter().map(|echo| echo.height()).collect();
    heights.sort_by(|one, other| other.total_cmp(one));
    let third = heights[2.min(heights.len() - 1)];
    if heights[0] - third < (LONE * third).max(1.0) { heights[0] } else { third }
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

/// Share of split pulses above cars and fences.
fn multiple(echoes: &[Echo]) -> f64 {
    let high = || echoes.iter().filter(|echo| echo.height() >= LEAST_HEIGHT);
    high().filter(|echo| echo.is_multiple).count() as f64 / high().count().max(1) as f64
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

/// Standard deviation of the heights of the upper half of a tree, meters.
fn depth(echoes: &[Echo], height: f64) -> f64 {
    let upper = || echoes.iter().map(|echo| echo.height()).filter(|&part| part > height / 2.0);
    let count = upper().count().max(1) as f64;
    let mean = upper().sum::<f64>() / count;
    (upper().map(|part| (part - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Whether a crown is a cone or a dome; none if it is neither.
fn is_conifer(surface: &Surface, crown: &[usize], [height, width]: [f64; 2], middle: [f64; 2]) -> Option<bool> {
    if height < SHAPED_HEIGHT {
        return None;
    }
    let high = crown.iter().filter(|&&cell| f64::from(surface.tops[cell]) > NEAR_TOP * height).count();
    let share = high as f64 / crown.len().max(1) as f64;
    let highest =
        crown.iter().copied().max_by(|&one, &other| surface.blurred[one].total_cmp(&surface.blurred[other]))?;
    let [x, y] = surface.center(highest);
    let is_centered = (x - middle[0]).hypot(y - middle[1]) < CENTERED * width;
    if share > DOME {
        Some(false)
    } else if share < CONE && is_centered && width < SLIM * height {
        Some(true)
    } else {
        None
    }
}
