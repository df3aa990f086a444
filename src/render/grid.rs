//! Aligned tables, made once and shown as plain text or as Markdown.

#[cfg(test)]
mod tests;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::markdown;
use super::paragraph::WIDTH;
use super::style::{QUIET, STRONG, paint};

/// Where the text of a column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    /// The heading above several columns; empty for none.
    pub group: String,
    /// The heading of the column.
    pub name: String,
    /// The heading of what stands beside the values.
    pub aside: String,
    /// Where the text stands.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn words(name: &str) -> Self {
        Self { group: String::new(), name: name.to_owned(), aside: String::new(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn numbers(name: &str) -> Self {
        Self { group: String::new(), name: name.to_owned(), aside: String::new(), align: Align::Right }
    }

    /// The same column under a heading that it shares with its neighbours.
    pub fn under(mut self, group: &str) -> Self {
        group.clone_into(&mut self.group);
        self
    }

    /// The same column with a heading for what stands beside its values.
    pub fn with(mut self, aside: &str) -> Self {
        aside.clone_into(&mut self.aside);
        self
    }

    /// All headings in one: `recall@5 [95% interval]`.
    fn full_name(&self) -> String {
        format!("{}{} {}", self.group, self.name, self.aside).trim().to_owned()
    }
}

/// A cell: a value, and beside it what belongs to it (an interval).
#[derive(Debug, Clone, Default)]
pub struct Cell {
    value: String,
    aside: String,
    style: Style,
}

impl Cell {
    /// A cell with a value alone.
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), ..Self::default() }
    }

    /// The cell with something beside its value.
    pub fn with(self, aside: impl Into<String>) -> Self {
        Self { aside: aside.into(), ..self }
    }

    /// The cell in a style.
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// An empty cell.
    pub fn empty() -> Self {
        Self::default()
    }
}

/// A table. The first column names the rows.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    columns: Vec<Column>,
    /// The values and asides of all cells, row by row.
    text: String,
    /// Where each cell ends in the text; it begins where the one before it ends.
    ends: Vec<usize>,
    /// The cells that are more than a plain value, in order: in a long table there are none.
    extras: Vec<Extra>,
    /// The widest cell of each column so far.
    widest: Vec<Widths>,
    /// The column of the next cell.
    next: usize,
    is_tight: bool,
}

/// What a cell has beside a plain value.
#[derive(Debug, Clone, Copy)]
struct Extra {
    /// The number of the cell.
    cell: usize,
    /// Where its value ends and what stands beside it begins.
    value_end: usize,
    style: Style,
}

/// The parts of a cell.
struct Parts<'a> {
    value: &'a str,
    aside: &'a str,
    style: Option<Style>,
}

/// Widths of the two parts of a column.
#[derive(Debug, Clone, Copy, Default)]
struct Widths {
    value: usize,
    aside: usize,
}

impl Widths {
    fn total(self) -> usize {
        self.value + if self.aside > 0 { self.aside + 1 } else { 0 }
    }
}

impl Grid {
    /// A table without rows.
    pub fn new(columns: Vec<Column>) -> Self {
        let widest = vec![Widths::default(); columns.len()];
        Self { columns, widest, ..Self::default() }
    }

    /// The table with as little as can be between its columns.
    pub fn tight(self) -> Self {
        Self { is_tight: true, ..self }
    }

    /// Adds a row with a cell for each column.
    pub fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len());
        for (column, Cell { value, aside, style }) in row.into_iter().enumerate() {
            let cell = self.ends.len();
            self.push_value(|text| text.push_str(&value));
            if aside.is_empty() && style == Style::new() {
                continue;
            }
            self.extras.push(Extra { cell, value_end: self.text.len(), style });
            self.text.push_str(&aside);
            self.ends[cell] = self.text.len();
            let widest = &mut self.widest[column];
            widest.aside = widest.aside.max(width(&aside));
        }
    }

    /// Adds one cell with a value alone, which is written where it is kept: the quick way for
    /// tables of many rows. A row is whole when each column has its cell.
    pub fn push_value(&mut self, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        let widest = &mut self.widest[self.next];
        widest.value = widest.value.max(width(&self.text[start..]));
        self.ends.push(self.text.len());
        self.next = if self.next + 1 < self.columns.len() { self.next + 1 } else { 0 };
    }

    /// Number of rows.
    fn rows(&self) -> usize {
        self.ends.len() / self.columns.len().max(1)
    }

    #[inline]
    fn cell(&self, row: usize, column: usize) -> Parts<'_> {
        let cell = row * self.columns.len() + column;
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[cell];
        match self.extras.binary_search_by_key(&cell, |extra| extra.cell) {
            Err(_) => Parts { value: &self.text[start..end], aside: "", style: None },
            Ok(place) => {
                let Extra { value_end, style, .. } = self.extras[place];
                Parts { value: &self.text[start..value_end], aside: &self.text[value_end..end], style: Some(style) }
            }
        }
    }

    /// The table as text of at most 80 columns; a wider one is broken into blocks that repeat the
    /// first column.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.push_to(&mut text);
        text
    }

    /// Adds the table to a text.
    pub fn push_to(&self, text: &mut String) {
        for (place, columns) in self.blocks().into_iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            self.push_block(text, &columns);
        }
    }

    /// The table in Markdown.
    pub fn to_markdown(&self) -> String {
        let cells = |texts: Vec<String>| format!("| {} |\n", texts.join(" | "));
        let names = self.columns.iter().map(|column| markdown::escaped(&column.full_name()));
        let rules = self.columns.iter().map(|column| match column.align {
            Align::Left => ":--".to_owned(),
            Align::Right => "--:".to_owned(),
        });
        let mut text = cells(names.collect()) + &cells(rules.collect());
        for row in 0..self.rows() {
            let row = (0..self.columns.len()).map(|column| self.cell(row, column));
            let texts = row.map(|cell| markdown::escaped(format!("{} {}", cell.value, cell.aside).trim()));
            text.push_str(&cells(texts.collect()));
        }
        text
    }

    /// Whether the table is at most 80 columns wide.
    pub fn fits(&self) -> bool {
        self.blocks().len() <= 1
    }

    /// The columns of text that the table takes when it is not broken into blocks.
    pub fn width(&self) -> usize {
        let columns: Vec<usize> = (1..self.columns.len()).collect();
        self.widths(0).total() + self.cost(&columns)
    }

    fn widths(&self, column: usize) -> Widths {
        let Widths { value, aside } = self.widest[column];
        let heading = &self.columns[column];
        let aside = if aside > 0 { aside.max(heading.aside.width()) } else { 0 };
        Widths { value: value.max(heading.name.width()), aside }
    }

    /// Blanks before a column, which can be the first of its block.
    fn gap(&self, column: usize, is_first: bool) -> usize {
        let blanks = match (is_first, self.starts_group(column)) {
            _ if self.is_tight => 2,
            (true, _) => 3,
            (_, true) => 4,
            (_, false) if self.columns[column].group.is_empty() => 3,
            (_, false) => 2,
        };
        blanks + self.overhang(column)
    }

    /// The columns of a block with the blanks before each.
    fn spaced<'a>(&'a self, columns: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
        columns.iter().enumerate().map(|(place, &column)| (column, self.gap(column, place == 0)))
    }

    fn starts_group(&self, column: usize) -> bool {
        column == 1 || self.columns[column].group != self.columns[column - 1].group
    }

    /// How much wider the heading of a group is than its columns, at the first of them.
    fn overhang(&self, column: usize) -> usize {
        if !self.starts_group(column) {
            return 0;
        }
        let group = &self.columns[column].group;
        let rest = (column + 1..self.columns.len()).take_while(|&other| self.columns[other].group == *group);
        let width = rest.fold(self.widths(column).total(), |width, other| width + 2 + self.widths(other).total());
        group.width().saturating_sub(width)
    }

    fn cost(&self, columns: &[usize]) -> usize {
        columns.iter().map(|&column| self.gap(column, false) + self.widths(column).total()).sum()
    }

    /// The columns of each block, without the first column: as many units as fit.
    fn blocks(&self) -> Vec<Vec<usize>> {
        let room = WIDTH.saturating_sub(self.widths(0).total());
        let (mut blocks, mut used): (Vec<Vec<usize>>, usize) = (Vec::new(), usize::MAX);
        for unit in self.units(room) {
            let needed = self.cost(&unit);
            match blocks.last_mut() {
                Some(block) if used + needed <= room => {
                    block.extend(unit);
                    used += needed;
                }
                _ => {
                    blocks.push(unit);
                    used = needed;
                }
            }
        }
        blocks
    }

    /// The columns that stay together: those of a group, if they fit into one block.
    fn units(&self, room: usize) -> Vec<Vec<usize>> {
        let columns: Vec<usize> = (1..self.columns.len()).collect();
        let groups = columns.chunk_by(|&a, &b| self.columns[a].group == self.columns[b].group);
        let units = groups.flat_map(|group| {
            let together = !self.columns[group[0]].group.is_empty() && self.cost(group) <= room;
            group.chunks(if together { group.len() } else { 1 }).map(<[usize]>::to_vec)
        });
        units.collect()
    }

    fn push_block(&self, text: &mut String, columns: &[usize]) {
        let slots = self.slots(columns);
        if columns.iter().any(|&column| !self.columns[column].group.is_empty()) {
            text.push_str(&self.group_line(columns));
        }
        if self.columns.iter().any(|column| !column.name.is_empty()) {
            let heading = |column: usize| {
                let Column { name, aside, .. } = &self.columns[column];
                Parts { value: name, aside, style: Some(STRONG) }
            };
            self.push_line(text, &slots, heading);
        }
        for row in 0..self.rows() {
            self.push_line(text, &slots, |column| self.cell(row, column));
        }
    }

    /// Where the columns of a block stand, the first column of the table before them.
    fn slots(&self, columns: &[usize]) -> Vec<Slot> {
        let slot = |(column, gap)| Slot { column, gap, widths: self.widths(column) };
        std::iter::once((0, 0)).chain(self.spaced(columns)).map(slot).collect()
    }

    /// The line with the headings of groups: each above the first of its columns.
    fn group_line(&self, columns: &[usize]) -> String {
        let mut line = " ".repeat(self.widths(0).total());
        let (mut column_end, mut written) = (line.len(), line.len());
        let mut last = "";
        for (column, gap) in self.spaced(columns) {
            column_end += gap;
            let (group, start) = (self.columns[column].group.as_str(), column_end - self.overhang(column));
            if group != last {
                line.push_str(&" ".repeat(start.saturating_sub(written)));
                line.push_str(&paint(STRONG, group));
                written = written.max(start) + group.width();
                last = group;
            }
            column_end += self.widths(column).total();
        }
        line.trim_end().to_owned() + "\n"
    }

    fn push_line<'a>(&self, text: &mut String, slots: &[Slot], cell: impl Fn(usize) -> Parts<'a>) {
        for slot in slots {
            let (cell, align) = (cell(slot.column), self.columns[slot.column].align);
            let blanks = slot.widths.value.saturating_sub(width(cell.value));
            let (before, behind) = if align == Align::Right { (blanks, 0) } else { (0, blanks) };
            push_blanks(text, slot.gap + before);
            match cell.style {
                None => text.push_str(cell.value),
                Some(style) => text.push_str(&paint(style, cell.value)),
            }
            push_blanks(text, behind);
            if slot.widths.aside > 0 {
                text.push(' ');
                text.push_str(&paint(QUIET, cell.aside));
                push_blanks(text, slot.widths.aside - width(cell.aside));
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
}

/// Where a column stands in a block: how many blanks come before it, and how wide it is.
struct Slot {
    column: usize,
    gap: usize,
    widths: Widths,
}

/// Columns that a text takes.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

fn push_blanks(text: &mut String, mut number: usize) {
    const BLANKS: &str = "                                                                ";
    while number > BLANKS.len() {
        text.push_str(BLANKS);
        number -= BLANKS.len();
    }
    text.push_str(&BLANKS[..number]);
}
