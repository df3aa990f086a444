//! Tables as text and as Markdown.

use super::*;

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn numbers_line_up_with_their_asides() {
    let mut grid = Grid::new(vec![Column::words(""), Column::numbers("@5"), Column::numbers("@10")]);
    grid.push(vec![Cell::new("recall"), Cell::new("0.500").with("[0.1, 0.9]"), Cell::new("12.500")]);
    grid.push(vec![Cell::new("f1"), Cell::new("0.250"), Cell::new("0.100").with("[0, 1]")]);
    assert_eq!(
        plain(&grid.to_text()),
        "            @5                 @10\n\
         recall   0.500 [0.1, 0.9]   12.500\n\
         f1       0.250               0.100 [0, 1]\n"
    );
}

#[test]
fn a_long_table_takes_no_longer_a_row_than_a_short_one() {
    let mut grid = Grid::new((0..12).map(|index| Column::numbers(&format!("@{index}"))).collect());
    for _ in 0..20_000 {
        grid.push(vec![Cell::new("0.500"); 12]);
    }
    let start = std::time::Instant::now();
    assert_eq!(grid.to_text().lines().filter(|line| line.contains("0.500")).count() % 20_000, 0);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn cells_that_are_added_one_by_one_make_the_same_table() {
    let columns = || vec![Column::words(""), Column::numbers("@5"), Column::numbers("@10")];
    let (mut whole, mut single) = (Grid::new(columns()), Grid::new(columns()));
    for row in [["a", "0.5", "12"], ["b with a name", "", "é"]] {
        whole.push(row.map(Cell::new).to_vec());
        row.iter().for_each(|value| single.push_value(|text| text.push_str(value)));
    }
    assert_eq!(single.to_text(), whole.to_text());
    assert_eq!(single.to_markdown(), whole.to_markdown());
}

#[test]
fn a_wide_table_breaks_between_groups() {
    let mut columns = vec![Column::words("run")];
    for group in ["recall", "precision", "ndcg"] {
        columns.extend((1..=5).map(|k| Column::numbers(&format!("@{k}")).under(group)));
    }
    let mut grid = Grid::new(columns);
    let mut row = vec![Cell::new("a run with a name")];
    row.extend((0..15).map(|_| Cell::new("0.500")));
    grid.push(row);
    let text = plain(&grid.to_text());
    assert!(text.lines().all(|line| line.width() <= WIDTH), "{text}");
    assert_eq!(text.matches("a run with a name").count(), 3);
    assert_eq!(text.matches("precision").count(), 1);
}

#[test]
fn markdown_shows_the_same_cells_with_full_names() {
    let mut grid = Grid::new(vec![Column::words("run"), Column::numbers("@5").under("recall")]);
    grid.push(vec![Cell::new("a|b"), Cell::new("0.5").with("[0, 1]")]);
    assert_eq!(grid.to_markdown(), "| run | recall@5 |\n| :-- | --: |\n| a\\|b | 0.5 [0, 1] |\n");
}
