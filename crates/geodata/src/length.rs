//! Lengths as people write them in tags and attributes.

/// Meters in a foot.
pub const FOOT: f64 = 0.3048;
/// Meters in a US survey foot.
pub const US_FOOT: f64 = 1200.0 / 3937.0;
/// Meters in an inch.
const INCH: f64 = 0.0254;

/// Parses a length: the number, and the meters in its unit where it names one. `12`, `12.5 m`, `12,5`, `39'`, `39 ft`, `6'4"`.
/// Feet and inches are returned in meters. `1,200` may be thousands or thousandths, and is none.
#[must_use]
pub fn parse(text: &str) -> Option<(f64, Option<f64>)> {
    let is_ambiguous = |(before, after): (&str, &str)| {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        digits == 3 && !before.trim_start_matches(['+', '-']).starts_with('0')
    };
    if text.trim().split_once(',').is_some_and(is_ambiguous) {
        return None;
    }
    let text = text.trim().replace(',', ".").replace(['’', '′'], "'").replace(['”', '″'], "\"");
    let number = |s: &str| s.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    if let Some((feet, inches)) = text.split_once('\'') {
        // Two apostrophes are a mark of inches, too.
        let inches = inches.trim().trim_end_matches(['"', '\'']);
        let inches = if inches.is_empty() { 0.0 } else { number(inches)? };
        return Some((number(feet)? * FOOT + inches * INCH, Some(1.0)));
    }
    let end = text.find(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
    let (value, name) = text.split_at(end);
    let unit = if name.is_empty() { None } else { Some(unit(name)?) };
    Some((number(value)?, unit))
}

/// Parses a length to meters; one without a unit is in meters.
#[must_use]
pub fn meters(text: &str) -> Option<f64> {
    parse(text).map(|(value, unit)| value * unit.unwrap_or(1.0))
}

/// Meters in a unit of length by its name; `None` where it is none.
#[must_use]
pub fn unit(name: &str) -> Option<f64> {
    let name = name.trim().trim_end_matches('.').to_lowercase().replace(['_', '-'], " ");
    Some(match name.as_str() {
        "m" | "mtr" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => 0.1,
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => 0.01,
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => 0.001,
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1000.0,
        "us ft" | "us foot" | "us feet" | "ftus" | "us survey foot" | "us survey feet" | "survey foot"
        | "survey feet" | "foot us" | "us foot survey" | "feet us" => US_FOOT,
        "ft" | "foot" | "feet" | "international foot" | "international feet" => FOOT,
        "yd" | "yard" | "yards" => 3.0 * FOOT,
        "in" | "inch" | "inches" => INCH,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_in_the_ways_that_people_write_them() {
        for (text, want) in [
            ("12", 12.0),
            ("12.5 m", 12.5),
            ("9m", 9.0),
            ("12,5", 12.5),
            ("12,5 m", 12.5),
            ("9 meters", 9.0),
            ("900 cm", 9.0),
            ("10'", 3.048),
            ("6'6\"", 1.9812),
            ("6’ 6”", 1.9812),
            ("10 ft", 3.048),
            ("10ft.", 3.048),
            ("10 Feet", 3.048),
            ("1e1", 10.0),
            ("0,125", 0.125),
            ("12,25 m", 12.25),
        ] {
            assert!((meters(text).unwrap() - want).abs() < 1e-9, "{text}");
        }
        for text in ["", "high", "inf", "~12", "12 stories", "9 m2", "1,200", "1,200 ft", "12,500.5"] {
            assert_eq!(meters(text), None, "{text}");
        }
    }

    #[test]
    fn a_length_says_whether_it_names_its_unit() {
        assert_eq!(parse("24.6"), Some((24.6, None)));
        assert_eq!(parse("24.6 m"), Some((24.6, Some(1.0))));
        assert_eq!(unit("US survey foot"), Some(US_FOOT));
        assert_eq!(unit("degree"), None);
    }
}
