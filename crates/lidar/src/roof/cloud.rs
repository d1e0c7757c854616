//! Points in a grid, for the nearest neighbors of each.

/// Number of neighbors of each point.
pub(super) const NEIGHBORS: usize = 10;

/// Points sorted into square buckets.
pub(super) struct Cloud {
    /// The points, in the order of the caller.
    pub(super) points: Vec<[f64; 3]>,
    low: [f64; 2],
    size: f64,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Cloud {
    /// Sorts the points into buckets of two or three points each.
    pub(super) fn new(points: Vec<[f64; 3]>, density: f64) -> Self {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for &[x, y, _] in &points {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        if points.is_empty() {
            (low, high) = ([0.0; 2], [0.0; 2]);
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        // Never more buckets than some four for each point, however scattered the points are.
        let least =
            (extent[0] * extent[1] / (4.0 * points.len() as f64 + 16.0)).sqrt().max(extent[0].max(extent[1]) / 4000.0);
        let size = (2.5 / density.max(0.1)).sqrt().max(least).max(0.05);
        let [columns, rows] = extent.map(|extent| (extent / size) as usize + 1);
        let mut cloud =
            Cloud { points, low, size, columns, rows, starts: vec![0; columns * rows + 1], order: Vec::new() };
        let buckets: Vec<usize> = cloud.points.iter().map(|&[x, y, _]| cloud.bucket([x, y])).collect();
        for &bucket in &buckets {
            cloud.starts[bucket + 1] += 1;
        }
        for bucket in 1..cloud.starts.len() {
            cloud.starts[bucket] += cloud.starts[bucket - 1];
        }
        let mut next = cloud.starts.clone();
        cloud.order = vec![0; cloud.points.len()];
        for (index, &bucket) in buckets.iter().enumerate() {
            cloud.order[next[bucket] as usize] = index as u32;
            next[bucket] += 1;
        }
        cloud
    }

    fn cell(&self, [x, y]: [f64; 2]) -> [usize; 2] {
        let column = ((x - self.low[0]) / self.size).max(0.0) as usize;
        let row = ((y - self.low[1]) / self.size).max(0.0) as usize;
        [column.min(self.columns - 1), row.min(self.rows - 1)]
    }

    fn bucket(&self, at: [f64; 2]) -> usize {
        let [column, row] = self.cell(at);
        row * self.columns + column
    }

    /// Visits the points in the buckets `ring` steps away from the one that holds `at`.
    fn visit(&self, at: [f64; 2], ring: usize, mut visit: impl FnMut(usize)) {
        let [column, row] = self.cell(at);
        let rows = row.saturating_sub(ring)..=(row + ring).min(self.rows - 1);
        for y in rows {
            let whole = y.abs_diff(row) == ring;
            let columns = column.saturating_sub(ring)..=(column + ring).min(self.columns - 1);
            for x in columns.filter(|x| whole || x.abs_diff(column) == ring) {
                let bucket = y * self.columns + x;
                for &index in &self.order[self.starts[bucket] as usize..self.starts[bucket + 1] as usize] {
                    visit(index as usize);
                }
            }
        }
    }

    /// The nearest other points of a point, nearest first; fewer than [`NEIGHBORS`] where the surroundings are empty.
    pub(super) fn neighbors(&self, index: usize) -> Vec<u32> {
        let [x, y, z] = self.points[index];
        let mut found: Vec<(f64, u32)> = Vec::with_capacity(40);
        for ring in 0..=4 {
            self.visit([x, y], ring, |other| {
                if other != index {
                    let [ox, oy, oz] = self.points[other];
                    found.push(((ox - x).powi(2) + (oy - y).powi(2) + (oz - z).powi(2), other as u32));
                }
            });
            // Somewhat farther than what is visited completely: a missed neighbor there does not matter.
            let reach = (1.25 * ring as f64 * self.size).powi(2);
            if ring > 0 && found.iter().filter(|(distance, _)| *distance <= reach).count() >= NEIGHBORS {
                break;
            }
        }
        if found.len() > NEIGHBORS {
            found.select_nth_unstable_by(NEIGHBORS, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            found.truncate(NEIGHBORS);
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, other)| other).collect()
    }

    /// The point nearest to `at` in plan for which `wanted` holds, and its distance; looked for up to `reach` meters away.
    pub(super) fn nearest(&self, at: [f64; 2], reach: f64, wanted: impl Fn(usize) -> bool) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for ring in 0..=(reach / self.size) as usize + 1 {
            // A point `ring` buckets away is at least `ring - 1` bucket sizes away.
            let away = (ring as f64 - 1.0).max(0.0) * self.size;
            if best.is_some_and(|(_, square)| square < away * away) {
                break;
            }
            self.visit(at, ring, |index| {
                let [x, y, _] = self.points[index];
                let square = (x - at[0]).powi(2) + (y - at[1]).powi(2);
                if square <= reach * reach && best.is_none_or(|(_, least)| square < least) && wanted(index) {
                    best = Some((index, square));
                }
            });
        }
        best.map(|(index, square)| (index, square.sqrt()))
    }
}
