//! The judgments of all queries in a few flat tables, so that a query costs next to nothing beside
//! its judgments, however few it has.

use std::ops::Range;

use super::places::Places;
use crate::error::{Fault, InputErrorKind};
use crate::id::Fingerprints;
use crate::judged::Grade;

/// Queries with more judgments than this have a hash table; in others each is looked at.
const FEW: u32 = 8;

/// Stands for no judgment and no hash table.
const NONE: u32 = u32::MAX;

/// The judgments of all queries: in the order of the file until they are finished, then query by query.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// The ids of the documents, one behind the other.
    ids: Vec<u8>,
    entries: Vec<Judgment>,
    /// For each query the grades of its judged documents from high to low, where its judgments
    /// stand in `entries`.
    ideal: Vec<Grade>,
    /// Places of judgments by document, for each query with many of them.
    hashed: Vec<Places>,
    prints: Fingerprints,
    /// Whether a query came back after others.
    scattered: bool,
}

/// What is known of the judgments of all queries together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// The largest grade, at least 0.
    pub max_grade: Grade,
    /// Whether some document is judged with grade 0.
    pub has_zeros: bool,
    /// How many documents were pooled and not judged.
    pub pooled: u64,
}

#[derive(Debug, Clone, Copy)]
struct Judgment {
    grade: Grade,
    /// Where the id of the document ends.
    end: u64,
    line: u32,
    /// The judgment of the same query before this one.
    before: u32,
}

/// Where the judgments of one query stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The last of them.
    last: u32,
    len: u32,
    /// How many of them are not negative.
    judged: u32,
    /// The number of its hash table.
    hashed: u32,
}

impl Default for Block {
    fn default() -> Self {
        Self { last: NONE, len: 0, judged: 0, hashed: NONE }
    }
}

impl Block {
    /// The places of the judgments, once those of each query stand side by side.
    fn places(&self) -> Range<usize> {
        match self.len {
            0 => 0..0,
            len => (self.last + 1 - len) as usize..self.last as usize + 1,
        }
    }
}

impl Tables {
    /// The place of the judgment of a document and its grade; needs the tables to be finished.
    pub(super) fn judgment(&self, block: &Block, document: &[u8]) -> Option<(u32, Grade)> {
        let place = self.find(block, document, self.hash(block, document))?;
        Some((place, self.entries[place as usize].grade))
    }

    /// The line of each judgment, in the order of the file; needs the tables to be finished.
    pub(super) fn lines(&self, block: &Block) -> impl Iterator<Item = u64> {
        self.entries[block.places()].iter().map(|entry| u64::from(entry.line))
    }

    /// The judgments in the order of the file; needs the tables to be finished.
    pub(super) fn judgments(&self, block: &Block) -> impl ExactSizeIterator<Item = (&[u8], Grade)> + Clone {
        block.places().map(|place| (self.id(place as u32), self.entries[place].grade))
    }

    /// The grades from high to low, none negative; needs the tables to be finished.
    pub(super) fn ideal(&self, block: &Block) -> &[Grade] {
        let start = block.places().start;
        &self.ideal[start..start + block.judged as usize]
    }

    /// The hash of a document, where the query has so many judgments that it is needed.
    pub(super) fn hash(&self, block: &Block, document: &[u8]) -> Option<u64> {
        (block.hashed != NONE).then(|| self.prints.hash(document))
    }

    /// The place of the judgment of a document with a hash.
    pub(super) fn find(&self, block: &Block, document: &[u8], hash: Option<u64>) -> Option<u32> {
        let is_it = |place| self.id(place) == document;
        match hash {
            Some(hash) => self.hashed[block.hashed as usize].find(hash, is_it),
            None => self.backwards(block).find(|&place| is_it(place)),
        }
    }

    /// The grade at a place and the line it is from.
    pub(super) fn at(&self, place: u32) -> (Grade, u64) {
        let entry = &self.entries[place as usize];
        (entry.grade, u64::from(entry.line))
    }

    /// Changes the grade at a place.
    pub(super) fn set(&mut self, place: u32, grade: Grade) {
        self.entries[place as usize].grade = grade;
    }

    /// Adds a judgment of a document with a hash that the query does not have.
    ///
    /// # Errors
    /// When there are more judgments than places.
    pub(super) fn push(
        &mut self,
        block: &mut Block,
        (document, hash): (&[u8], Option<u64>),
        grade: Grade,
        line: u64,
    ) -> Result<(), Fault> {
        let place = u32::try_from(self.entries.len()).ok().filter(|&place| place < NONE);
        let Some(place) = place else { return Err(Fault::at_line(line, InputErrorKind::TooManyJudgments)) };
        self.ids.extend_from_slice(document);
        self.scattered |= block.len > 0 && block.last + 1 != place;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.entries.push(Judgment { grade, end: self.ids.len() as u64, line, before: block.last });
        (block.last, block.len) = (place, block.len + 1);
        match hash {
            Some(hash) => self.hashed[block.hashed as usize].enter(hash, place),
            None if block.len > FEW => self.begin_hashing(block),
            None => {}
        }
        Ok(())
    }

    /// Gives a query a hash table.
    fn begin_hashing(&mut self, block: &mut Block) {
        block.hashed = self.hashed.len() as u32;
        // A query has about as many judgments as the one before it.
        let expected = self.hashed.last().map_or(0, Places::len);
        self.hashed.push(Places::new(expected.max(2 * FEW as usize)));
        for place in self.backwards(block).collect::<Vec<_>>() {
            self.enter(block.hashed, place);
        }
    }

    fn enter(&mut self, table: u32, place: u32) {
        let hash = self.prints.hash(self.id(place));
        self.hashed[table as usize].enter(hash, place);
    }

    /// The places of a query from the last to the first.
    fn backwards(&self, block: &Block) -> impl Iterator<Item = u32> {
        let before = |&place: &u32| Some(self.entries[place as usize].before).filter(|&place| place != NONE);
        std::iter::successors(Some(block.last).filter(|&place| place != NONE), before)
    }

    fn id(&self, place: u32) -> &[u8] {
        id_at(&self.ids, &self.entries, place)
    }

    /// Puts the judgments of each query side by side, where they are not, and sorts their grades.
    pub(super) fn finish<'b>(&mut self, blocks: impl Iterator<Item = &'b mut Block>) -> Sums {
        let scattered = std::mem::take(&mut self.scattered).then(|| Self {
            ids: std::mem::take(&mut self.ids),
            entries: std::mem::take(&mut self.entries),
            ..Self::default()
        });
        if let Some(scattered) = &scattered {
            self.ids.reserve_exact(scattered.ids.len());
            self.entries.reserve_exact(scattered.entries.len());
        }
        self.ideal = vec![0.0; scattered.as_ref().unwrap_or(self).entries.len()];
        let mut sums = Sums::default();
        for block in blocks {
            if let Some(scattered) = &scattered {
                self.gather(block, scattered);
            }
            let sorted = self.sort_grades(block);
            sums.max_grade = sorted.first().copied().map_or(sums.max_grade, |best| sums.max_grade.max(best));
            sums.has_zeros |= sorted.last().is_some_and(|&least| least <= 0.0);
            sums.pooled += u64::from(block.len - block.judged);
        }
        sums
    }

    /// Takes over the judgments of a query.
    fn gather(&mut self, block: &mut Block, scattered: &Self) {
        let mut places: Vec<u32> = scattered.backwards(block).collect();
        places.reverse();
        if let Some(known) = self.hashed.get_mut(block.hashed as usize) {
            *known = Places::new(known.len());
        }
        block.last = NONE;
        for from in places {
            let place = self.entries.len() as u32;
            self.ids.extend_from_slice(scattered.id(from));
            let (end, before) = (self.ids.len() as u64, block.last);
            self.entries.push(Judgment { end, before, ..scattered.entries[from as usize] });
            block.last = place;
            if block.hashed != NONE {
                self.enter(block.hashed, place);
            }
        }
    }

    /// Sorts the grades of a query, which are given back.
    fn sort_grades(&mut self, block: &mut Block) -> &[Grade] {
        let places = block.places();
        let ideal = &mut self.ideal[places.clone()];
        let grades = self.entries[places].iter().map(|entry| entry.grade).filter(|&grade| grade >= 0.0);
        block.judged = 0;
        for (slot, grade) in ideal.iter_mut().zip(grades) {
            *slot = grade;
            block.judged += 1;
        }
        let ideal = &mut ideal[..block.judged as usize];
        if !ideal.is_sorted_by(|a, b| a.total_cmp(b).is_ge()) {
            ideal.sort_unstable_by(|a, b| b.total_cmp(a));
        }
        ideal
    }
}

fn id_at<'a>(ids: &'a [u8], entries: &[Judgment], place: u32) -> &'a [u8] {
    let place = place as usize;
    let start = place.checked_sub(1).map_or(0, |before| entries[before].end);
    &ids[start as usize..entries[place].end as usize]
}
