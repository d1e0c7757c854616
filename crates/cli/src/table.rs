//! Text tables for terminals.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

use crate::escape::escape;

/// Formats rows under headings, escaped for terminals; each column is as wide as its widest cell.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> = rows.iter().map(|row| row.iter().map(|cell| escape(cell)).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width());
        cells.chain([headings[column].width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(headings.to_vec())];
    lines.extend(rows.iter().map(|row| line(row.iter().map(AsRef::as_ref).collect())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["1".to_owned(), "Zürich".to_owned()], vec!["100".to_owned(), "Bern".to_owned()]];
        assert_eq!(table(&["id", "town"], &rows), "id   town\n1    Zürich\n100  Bern");
    }

    #[test]
    fn a_cell_cannot_forge_a_row_or_move_the_cursor() {
        let rows = [vec!["a\nb\u{1b}[2J".to_owned(), "c".to_owned()], vec!["d".to_owned(), "e".to_owned()]];
        assert_eq!(table(&["x", "y"], &rows), "x                 y\na\\u{a}b\\u{1b}[2J  c\nd                 e");
    }
}
