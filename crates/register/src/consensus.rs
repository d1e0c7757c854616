//! Random sample consensus (Fischler and Bolles 1981) with truncated errors (Torr and Zisserman 2000).

use aerie_math::Rng;

/// Maximum number of samples.
const MAX_SAMPLES: usize = 500;
/// Minimum number of samples, unless all models of fewer agree with everything.
const MIN_SAMPLES: usize = 40;
/// Probability at which one of the samples drawn so far contains no outlier, and no more are drawn.
const CONFIDENCE: f64 = 0.999;

/// Finds the model that explains most of `count` observations. `models` proposes models for a sample of `N` of them, and `error` is the
/// square of the error of an observation, in tolerances. Returns the model and the sum of its errors, each truncated to 1. The seed is the
/// number of observations: the same observations give the same model.
pub fn consensus<const N: usize, Model, Models: IntoIterator<Item = Model>>(
    count: usize,
    models: impl Fn([usize; N]) -> Models,
    error: impl Fn(&Model, usize) -> f64,
) -> Option<(Model, f64)> {
    if count < N {
        return None;
    }
    let mut rng = Rng::named(count as u64, "relative pose");
    let mut best: Option<(Model, f64)> = None;
    let (mut drawn, mut samples) = (0, MAX_SAMPLES);
    while drawn < samples {
        drawn += 1;
        let mut sample = [0; N];
        for i in 0..N {
            loop {
                sample[i] = (rng.unit_f64() * count as f64) as usize;
                if !sample[..i].contains(&sample[i]) {
                    break;
                }
            }
        }
        for model in models(sample) {
            let least = best.as_ref().map_or(f64::INFINITY, |best| best.1);
            let mut cost = 0.0;
            // A model that is worse already is not compared with the rest.
            for i in 0..count {
                cost += error(&model, i).min(1.0);
                if cost >= least {
                    break;
                }
            }
            if cost < least {
                let inliers = (0..count).filter(|i| error(&model, *i) < 1.0).count();
                let all_right = (inliers as f64 / count as f64).powi(N as i32).clamp(1e-9, 1.0 - 1e-9);
                let needed = (1.0 - CONFIDENCE).ln() / (1.0 - all_right).ln();
                samples = samples.min((needed.ceil() as usize).max(MIN_SAMPLES));
                best = Some((model, cost));
            }
        }
    }
    best
}
