//! Binary masks: distance transform, dilation and erosion by discs, holes, connected components.

/// A binary mask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) set: Vec<bool>,
}

impl Mask {
    pub(crate) fn new(width: usize, height: usize, set: Vec<bool>) -> Self {
        Self { width, height, set }
    }

    pub(crate) fn count(&self) -> usize {
        self.set.iter().filter(|s| **s).count()
    }

    /// Dilates by a disc.
    pub(crate) fn dilated(&self, radius: f32) -> Self {
        if radius <= 0.0 {
            return self.clone();
        }
        let near = squared_distances(self, true);
        Self { set: near.iter().map(|d| *d <= radius * radius).collect(), ..*self }
    }

    /// Erodes by a disc. Pixels outside the picture count as set.
    pub(crate) fn eroded(&self, radius: f32) -> Self {
        if radius <= 0.0 {
            return self.clone();
        }
        let near = squared_distances(self, false);
        Self { set: near.iter().map(|d| *d > radius * radius).collect(), ..*self }
    }

    /// Adds the pixels within a distance of a segment.
    pub(crate) fn with_segment(mut self, [a, b]: [[f64; 2]; 2], reach: f64) -> Self {
        let span = |c: usize, side: usize| {
            let low = (a[c].min(b[c]) - reach).floor().clamp(0.0, side as f64) as usize;
            low..((a[c].max(b[c]) + reach).ceil().clamp(0.0, side as f64) as usize)
        };
        for y in span(1, self.height) {
            for x in span(0, self.width) {
                let p = [x as f64 + 0.5, y as f64 + 0.5];
                if aerie_math::geometry::distance_to_segment(p, a, b) <= reach {
                    self.set[y * self.width + x] = true;
                }
            }
        }
        self
    }

    /// Opens by a disc: removes everything thinner.
    pub(crate) fn opened(&self, radius: f32) -> Self {
        self.eroded(radius).dilated(radius)
    }

    /// Fills holes: unset pixels that are not connected to the edge of the picture.
    pub(crate) fn filled(&self) -> Self {
        let (width, height) = (self.width, self.height);
        let mut open = vec![false; self.set.len()];
        let mut stack = Vec::new();
        let visit = |i: usize, stack: &mut Vec<usize>, open: &mut Vec<bool>| {
            if !self.set[i] && !open[i] {
                open[i] = true;
                stack.push(i);
            }
        };
        for x in 0..width {
            visit(x, &mut stack, &mut open);
            visit((height - 1) * width + x, &mut stack, &mut open);
        }
        for y in 0..height {
            visit(y * width, &mut stack, &mut open);
            visit(y * width + width - 1, &mut stack, &mut open);
        }
        while let Some(i) = stack.pop() {
            let (x, y) = (i % width, i / width);
            if x > 0 {
                visit(i - 1, &mut stack, &mut open);
            }
            if x + 1 < width {
                visit(i + 1, &mut stack, &mut open);
            }
            if y > 0 {
                visit(i - width, &mut stack, &mut open);
            }
            if y + 1 < height {
                visit(i + width, &mut stack, &mut open);
            }
        }
        Self { set: open.iter().map(|o| !o).collect(), ..*self }
    }

    /// 8-connected components, each a list of pixel indices.
    pub(crate) fn components(&self) -> Vec<Vec<usize>> {
        let (width, height) = (self.width, self.height);
        let mut seen = vec![false; self.set.len()];
        let mut components = Vec::new();
        for start in 0..self.set.len() {
            if !self.set[start] || seen[start] {
                continue;
            }
            seen[start] = true;
            let mut component = vec![start];
            let mut next = 0;
            while next < component.len() {
                let (x, y) = (component[next] % width, component[next] / width);
                next += 1;
                for v in y.saturating_sub(1)..(y + 2).min(height) {
                    for u in x.saturating_sub(1)..(x + 2).min(width) {
                        let i = v * width + u;
                        if self.set[i] && !seen[i] {
                            seen[i] = true;
                            component.push(i);
                        }
                    }
                }
            }
            components.push(component);
        }
        components
    }

    /// A mask of the same size with the given pixels set.
    pub(crate) fn subset(&self, pixels: &[usize]) -> Self {
        let mut set = vec![false; self.set.len()];
        pixels.iter().for_each(|i| set[*i] = true);
        Self { set, ..*self }
    }

    /// Pixels in this mask but not in `other`.
    pub(crate) fn without(&self, other: &Mask) -> Self {
        Self { set: self.set.iter().zip(&other.set).map(|(a, b)| *a && !*b).collect(), ..*self }
    }

    /// Pixels in both masks.
    pub(crate) fn intersection(&self, other: &Mask) -> Self {
        Self { set: self.set.iter().zip(&other.set).map(|(a, b)| *a && *b).collect(), ..*self }
    }

    /// Stroke width in pixels: twice the median of the distance transform along its ridges.
    pub(crate) fn stroke_width(&self) -> f32 {
        let (width, height) = (self.width, self.height);
        let inner = squared_distances(self, false);
        let mut ridge = Vec::new();
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                let i = y * width + x;
                if !self.set[i] {
                    continue;
                }
                let d = inner[i];
                let highest = [i - 1, i + 1, i - width, i + width].iter().all(|j| inner[*j] <= d);
                if highest {
                    ridge.push(d.sqrt());
                }
            }
        }
        (2.0 * crate::picture::quantile(&mut ridge, 0.5) - 1.0).max(1.0)
    }
}

/// Squared distance of each pixel to the nearest one whose membership equals `to` (Felzenszwalb and Huttenlocher 2012).
pub(crate) fn squared_distances(mask: &Mask, to: bool) -> Vec<f32> {
    // Larger than any distance in a picture, and finite so that parabolas intersect.
    const FAR: f32 = 1e9;
    let (width, height) = (mask.width, mask.height);
    let mut field: Vec<f32> = mask.set.iter().map(|s| if *s == to { 0.0 } else { FAR }).collect();
    let longest = width.max(height);
    let mut line = vec![0.0; longest];
    let mut out = vec![0.0; longest];
    let mut envelope = Envelope { at: vec![0; longest], from: vec![0.0; longest + 1] };
    for x in 0..width {
        for y in 0..height {
            line[y] = field[y * width + x];
        }
        envelope.evaluate(&line[..height], &mut out[..height]);
        for y in 0..height {
            field[y * width + x] = out[y];
        }
    }
    for row in field.chunks_exact_mut(width) {
        line[..width].copy_from_slice(row);
        envelope.evaluate(&line[..width], row);
    }
    field
}

struct Envelope {
    at: Vec<usize>,
    from: Vec<f32>,
}

impl Envelope {
    /// Evaluates the lower envelope of parabolas with vertices at `heights`.
    fn evaluate(&mut self, heights: &[f32], out: &mut [f32]) {
        let lifted = |q: usize| f64::from(heights[q]) + (q * q) as f64;
        let mut k = 0;
        self.at[0] = 0;
        self.from[0] = f32::NEG_INFINITY;
        self.from[1] = f32::INFINITY;
        for q in 1..heights.len() {
            loop {
                let v = self.at[k];
                let meet = ((lifted(q) - lifted(v)) / (2.0 * (q - v) as f64)) as f32;
                if meet > self.from[k] {
                    k += 1;
                    self.at[k] = q;
                    self.from[k] = meet;
                    self.from[k + 1] = f32::INFINITY;
                    break;
                }
                if k == 0 {
                    self.at[0] = q;
                    self.from[0] = f32::NEG_INFINITY;
                    self.from[1] = f32::INFINITY;
                    break;
                }
                k -= 1;
            }
        }
        let mut k = 0;
        for (q, out) in out.iter_mut().enumerate() {
            while self.from[k + 1] < q as f32 {
                k += 1;
            }
            let d = q as f32 - self.at[k] as f32;
            *out = d * d + heights[self.at[k]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> Mask {
        let set = rows.iter().flat_map(|r| r.bytes().map(|b| b == b'#')).collect();
        Mask::new(rows[0].len(), rows.len(), set)
    }

    #[test]
    fn distances_are_measured_to_the_nearest_pixel() {
        let m = mask(&["#......", ".......", "......#", "......."]);
        let found = squared_distances(&m, true);
        for y in 0..4 {
            for x in 0..7 {
                let nearest = [(0_i32, 0_i32), (6, 2)].map(|(u, v)| (x - u).pow(2) + (y - v).pow(2));
                assert_eq!(found[(y * 7 + x) as usize], nearest[0].min(nearest[1]) as f32, "{x} {y}");
            }
        }
    }

    #[test]
    fn closed_rings_are_filled_and_open_ones_are_not() {
        assert_eq!(mask(&["......", ".####.", ".#..#.", ".####.", "......"]).filled().count(), 12);
        assert_eq!(mask(&["......", ".####.", ".#....", ".####.", "......"]).filled().count(), 9);
    }

    #[test]
    fn opening_removes_lines_and_keeps_areas() {
        let m = mask(&["........", ".####...", ".####...", ".#######", ".####...", "........"]);
        assert_eq!(m.opened(1.0).intersection(&mask(&["........"; 6])).count(), 0);
        let opened = m.opened(1.0);
        assert!(!opened.set[3 * 8 + 7] && opened.set[2 * 8 + 2]);
        assert_eq!(m.components().len(), 1);
    }
}
