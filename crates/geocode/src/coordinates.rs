//! Coordinates as people copy them: decimal degrees, degrees with minutes and seconds, `geo:` addresses (RFC 5870), plus codes (Open
//! Location Code).

use aerie_geodata::place::GeoPoint;

/// The coordinates that are all of a text.
pub(crate) fn parsed(text: &str) -> Option<GeoPoint> {
    let text = text.trim();
    let scheme = text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("geo:"));
    let found = if scheme {
        let degrees = text[4..].split([';', '?']).next()?;
        let (lat, lon) = degrees.split_once(',')?;
        // Height, as a third number, is not used.
        (lat.trim().parse().ok()?, lon.split(',').next()?.trim().parse().ok()?)
    } else {
        decimal(text).or_else(|| sexagesimal(text)).or_else(|| plus_code(text))?
    };
    let (lat, lon): (f64, f64) = found;
    (lat.abs() <= 90.0 && lon.abs() <= 180.0).then_some(GeoPoint { lat, lon })
}

/// `52.01163, 4.35928`. Whole numbers are house numbers or postcodes.
fn decimal(text: &str) -> Option<(f64, f64)> {
    let (lat, lon) = text.split_once([',', ';'])?;
    let number = |text: &str| {
        let text = text.trim();
        let is_decimal = text.contains('.') && text.chars().all(|c| c.is_ascii_digit() || ".+-".contains(c));
        text.parse::<f64>().ok().filter(|_| is_decimal)
    };
    Some((number(lat)?, number(lon)?))
}

/// An angle with its letter: `38°53'54.2"N`, `N 38° 53.9'`.
#[derive(Debug, Default, Clone, Copy)]
struct Angle {
    parts: [f64; 3],
    count: usize,
    hemisphere: Option<char>,
}

impl Angle {
    fn degrees(self) -> Option<f64> {
        let [degrees, minutes, seconds] = self.parts;
        if self.count == 0 || minutes >= 60.0 || seconds >= 60.0 || degrees < 0.0 {
            return None;
        }
        let value = degrees + minutes / 60.0 + seconds / 3600.0;
        Some(if matches!(self.hemisphere?, 'S' | 'W') { -value } else { value })
    }
}

/// `38°53'54.2"N 77°36'10.8"W`, in any order of letters and numbers; with a sign of degrees or both letters.
fn sexagesimal(text: &str) -> Option<(f64, f64)> {
    if text.chars().any(|c| c.is_alphabetic() && !"NSEWOnsewo".contains(c)) || text.len() > 60 {
        return None;
    }
    let mut angles = [Angle::default(); 2];
    let mut at = 0;
    let leads = text.trim_start().starts_with(|c: char| c.is_alphabetic());
    let mut number = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() || (c == '.' && !number.is_empty()) {
            number.push(c);
            continue;
        }
        if !number.is_empty() {
            // The second angle begins with a number after the first letter.
            if !leads && at == 0 && angles[0].hemisphere.is_some() {
                at = 1;
            }
            let angle = &mut angles[at];
            *angle.parts.get_mut(angle.count)? = number.parse().ok()?;
            angle.count += 1;
            number.clear();
        }
        match c {
            c if c.is_alphabetic() => {
                if leads && angles[at].hemisphere.is_some() {
                    at += 1;
                }
                let angle = angles.get_mut(at)?;
                if angle.hemisphere.is_some() {
                    return None;
                }
                // `O` is west in French, Spanish and Italian.
                angle.hemisphere = Some(if matches!(c, 'O' | 'o') { 'W' } else { c.to_ascii_uppercase() });
            }
            ' ' | ',' | ';' | '°' | 'º' | '\'' | '’' | '′' | '"' | '”' | '″' | '\u{a0}' => {}
            _ => return None,
        }
    }
    let is_north = |angle: &Angle| matches!(angle.hemisphere, Some('N' | 'S'));
    match (is_north(&angles[0]), is_north(&angles[1])) {
        (true, false) => Some((angles[0].degrees()?, angles[1].degrees()?)),
        (false, true) => Some((angles[1].degrees()?, angles[0].degrees()?)),
        _ => None,
    }
}

/// The middle of a full plus code of ten digits or more: fewer are larger than a house.
fn plus_code(text: &str) -> Option<(f64, f64)> {
    const DIGITS: &str = "23456789CFGHJMPQRVWX";
    let (area, rest) = text.split_once('+')?;
    if area.len() != 8 || !(2..=7).contains(&rest.len()) {
        return None;
    }
    let code = format!("{area}{rest}").to_ascii_uppercase();
    let digits: Vec<usize> = code.chars().map(|c| DIGITS.find(c)).collect::<Option<_>>()?;
    let (mut lat, mut lon) = (-90.0, -180.0);
    let (mut height, mut width) = (400.0, 400.0);
    for pair in digits[..10].chunks(2) {
        (height, width) = (height / 20.0, width / 20.0);
        lat += height * pair[0] as f64;
        lon += width * pair[1] as f64;
    }
    for digit in &digits[10..] {
        (height, width) = (height / 5.0, width / 4.0);
        lat += height * (digit / 4) as f64;
        lon += width * (digit % 4) as f64;
    }
    Some((lat + height / 2.0, lon + width / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_as_phones_copy_them() {
        for text in [
            "38.898389, -77.603000",
            "38°53'54.2\"N 77°36'10.8\"W",
            "38° 53′ 54.2″ N, 77° 36′ 10.8″ W",
            "N 38°53'54.2\" W 77°36'10.8\"",
            "N38 53.9033 W77 36.18",
            "77°36'10.8\"O 38°53'54.2\"N",
            "38.898389° N, 77.603° W",
            "geo:38.898389,-77.603;u=20",
            "geo:38.898389,-77.603,12",
            "GEO:38.898389,-77.603?z=17",
        ] {
            let at = parsed(text).unwrap_or_else(|| panic!("{text}"));
            assert!((at.lat - 38.898_389).abs() < 2e-5 && (at.lon + 77.603).abs() < 2e-5, "{text}: {at:?}");
        }
    }

    /// Codes and centers of the test data of Open Location Code.
    #[test]
    fn plus_codes_are_read() {
        for (code, lat, lon) in [
            ("7FG49QCJ+2V", 20.370_062_5, 2.782_187_5),
            ("8FVC2222+22", 47.000_062_5, 8.000_062_5),
            ("4vcppqgp+q9", -41.273_062_5, 174.785_937_5),
        ] {
            let at = parsed(code).unwrap();
            assert!((at.lat - lat).abs() < 1e-6 && (at.lon - lon).abs() < 1e-6, "{code}: {at:?}");
        }
        let fine = parsed("7FG49QCJ+2VX").unwrap();
        assert!((fine.lat - 20.370_112_5).abs() < 1e-6 && (fine.lon - 2.782_234_375).abs() < 1e-6, "{fine:?}");
    }

    #[test]
    fn addresses_are_not_coordinates() {
        for text in [
            "12 N Main St W",
            "52, 4",
            "12.5, Main Street",
            "8FVC+22",
            "7FG49QCJ+2",
            "91.5, 4.2",
            "38°70'N 77°W",
            "38°N 77°N",
            "N W",
            "12 S 34 E 5 W",
            "12 N, 34",
        ] {
            assert!(parsed(text).is_none(), "{text}");
        }
    }
}
