//! Collects a run whose queries may stand in any order. Each block of its text is put together by
//! queries by the thread that reads it; a query is put together from all blocks when it is scored.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::pieces::{Block, Collector, Walk};
use super::shared::{Finished, Streaming, unlabelled};
use crate::error::{Fault, InputErrorKind};
use crate::evaluate::judge::Judge;
use crate::evaluate::sheet::Desk;
use crate::id::{Id, escaped};
use crate::labels::Labels;
use crate::run::{Call, Key, Part, Parts, Ranking, Row, Run, RunBuilder, RunMeta, RunSink, Wants};

/// Takes the results of a run: in blocks from several threads where the format allows it, else row
/// by row. What cannot be read twice is scored at once as long as its queries stand together; its
/// text is kept until that is sure.
pub(super) struct GatherSink<'l> {
    /// What does not come in blocks; it stands before all that does.
    start: RunBuilder,
    /// The last query of the start.
    last: Option<Id>,
    /// What scores blocks of queries that stand together.
    streaming: Option<Streaming<'l>>,
    /// Whether anything may come in blocks.
    in_blocks: bool,
    blocks: Blocks<'l>,
}

/// The blocks as they come.
struct Blocks<'l> {
    labels: &'l Labels,
    /// Whether there is a row that cannot be taken in blocks.
    is_odd: AtomicBool,
    taken: Mutex<Vec<Block>>,
    /// How many lines stand before a block, by its number.
    lines: Mutex<HashMap<u64, u64>>,
}

/// Takes blocks in one thread.
struct GatherPart<'g> {
    blocks: &'g Blocks<'g>,
    collector: Collector<'g>,
    number: u64,
    tag: Option<String>,
}

/// Where one thread puts a query together; it is used again for the next.
struct Table<'b> {
    walk: Walk<'b>,
    ranking: Ranking,
}

/// A run that has been read.
pub(super) struct Gathered<'l> {
    labels: &'l Labels,
    start: Run,
    /// What stands behind it, in order.
    blocks: Vec<Block>,
}

impl<'b> Table<'b> {
    fn new(blocks: &'b [Block]) -> Self {
        Self { walk: Walk::new(blocks), ranking: Ranking::new(Id::from("")) }
    }
}

impl<'l> GatherSink<'l> {
    /// A sink that scores queries that stand together, if there is something to do so, and takes
    /// others in blocks.
    pub fn new(labels: &'l Labels, streaming: Option<Streaming<'l>>) -> Self {
        let blocks =
            Blocks { labels, is_odd: AtomicBool::new(false), taken: Mutex::default(), lines: Mutex::default() };
        Self { start: RunBuilder::new(), last: None, streaming, in_blocks: true, blocks }
    }

    /// A sink that takes every row by itself.
    pub fn row_by_row(labels: &'l Labels) -> Self {
        Self { in_blocks: false, ..Self::new(labels, None) }
    }

    /// What scores blocks, as long as that will do.
    fn streaming(&self) -> Option<&Streaming<'l>> {
        self.streaming.as_ref().filter(|streaming| !streaming.are_in_vain())
    }

    /// Whether some row cannot be taken in blocks, which are worth nothing then.
    pub fn is_odd(&self) -> bool {
        self.blocks.are_in_vain()
    }

    /// Takes note of the query of a row.
    fn look(&mut self, query: &[u8]) {
        let Some(streaming) = &self.streaming else { return };
        if self.last.as_ref().is_none_or(|last| last.as_bytes() != query) {
            self.last = Some(query.into());
            // A query that comes back is known to have done so.
            streaming.begin(None, query).ok();
        }
    }

    /// All that was taken, once everything is read; with what has scored it all but for the start,
    /// if it has.
    pub fn finish(self) -> (Gathered<'l>, Option<Streaming<'l>>) {
        let is_streamed = self.streaming().is_some_and(Streaming::has_blocks);
        let Blocks { labels, is_odd, taken, lines } = self.blocks;
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut blocks = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_odd.into_inner() {
            // All that is in them has come row by row, too.
            blocks.clear();
        }
        blocks.sort_by_key(|block| block.number);
        for block in &mut blocks {
            block.lines_before = lines.get(&block.number).copied().unwrap_or(0);
        }
        let streaming = self.streaming.filter(|_| is_streamed);
        (Gathered { labels, start: self.start.finish(), blocks }, streaming)
    }
}

impl RunSink for GatherSink<'_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.look(row.query);
        self.start.row(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.look(query);
        self.start.call(query, call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault> {
        self.start.resume(query, step, line)
    }

    fn tag(&mut self, tag: &[u8]) {
        self.start.tag(tag);
    }

    fn meta(&mut self, meta: &RunMeta) {
        self.start.meta(meta);
    }

    fn is_empty(&self) -> bool {
        let taken = self.blocks.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_streamed = self.streaming.as_ref().is_some_and(Streaming::has_begun);
        self.start.is_empty() && !is_streamed && taken.iter().all(Block::is_empty)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        if let Some(streaming) = self.streaming() {
            return Some(streaming);
        }
        if self.in_blocks && !self.is_odd() { Some(&self.blocks) } else { None }
    }
}

impl Parts for Blocks<'_> {
    /// Large blocks have more results of a query side by side.
    fn wants(&self) -> Wants {
        Wants { whole_queries: false, keep: false, scores: true, size: 4 }
    }

    fn part(&self) -> Box<dyn Part + '_> {
        Box::new(GatherPart { blocks: self, collector: Collector::new(self.labels), number: 0, tag: None })
    }

    fn give_up(&self) {
        self.is_odd.store(true, Relaxed);
    }

    fn are_in_vain(&self) -> bool {
        self.is_odd.load(Relaxed)
    }

    fn begin_at(&self, lines: HashMap<u64, u64>) {
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) = lines;
    }
}

impl Part for GatherPart<'_> {
    fn begin_block(&mut self, number: u64) {
        self.number = number;
    }

    fn sink(&mut self) -> &mut dyn RunSink {
        self
    }

    fn end_block(&mut self) {
        let mut block = self.collector.finish();
        (block.number, block.tag) = (self.number, self.tag.take());
        self.blocks.taken.lock().unwrap_or_else(PoisonError::into_inner).push(block);
    }
}

impl RunSink for GatherPart<'_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let (Key::Score(score), None) = (row.key, row.chunk) else { return Err(self.give_up(row.query, row.line)) };
        if !self.collector.has_room() {
            self.end_block();
        }
        self.collector.take(row, score);
        Ok(())
    }

    fn call(&mut self, query: &[u8], _: &Call, line: u64) -> Result<(), Fault> {
        Err(self.give_up(query, line))
    }

    fn resume(&mut self, query: &[u8], _: u32, line: u64) -> Result<(), Fault> {
        Err(self.give_up(query, line))
    }

    fn tag(&mut self, tag: &[u8]) {
        self.tag.get_or_insert_with(|| escaped(tag));
    }

    fn is_empty(&self) -> bool {
        self.collector.is_empty()
    }
}

impl GatherPart<'_> {
    /// Gives blocks up for a row that is more than a document with a score; what is said of it is
    /// said to nobody.
    fn give_up(&self, query: &[u8], line: u64) -> Fault {
        self.blocks.give_up();
        Fault::at_line(line, InputErrorKind::MixedOrder { query: query.into() })
    }
}

impl Gathered<'_> {
    /// What stands before the blocks.
    pub fn start(&self) -> &Run {
        &self.start
    }

    /// Scores every query of the labels.
    ///
    /// # Errors
    /// That of the first query that cannot be scored.
    pub fn score<'g>(&'g self, judge: &Judge<'_>) -> Result<Finished, Fault> {
        let start = || (Table::new(&self.blocks), Desk::new(judge));
        let score = |(mut table, mut desk): (Table<'g>, Desk), position: usize| {
            desk.score(judge, position, self.put_together(position, &mut table));
            (table, desk)
        };
        let queries = self.labels.queries().len();
        let desks = (0..queries).into_par_iter().fold(start, score).map(|(_, desk)| desk).collect();
        let whole = Desk::whole(judge, queries, desks)?;
        let tags = std::iter::once(&self.start.tag).chain(self.blocks.iter().map(|block| &block.tag));
        let tag = tags.flatten().next().cloned();
        Ok(Finished { whole, ignored: self.ignored(), tag })
    }

    /// The queries without labels in the order of the file.
    fn ignored(&self) -> Vec<Id> {
        let mut ignored = unlabelled(&self.start, self.labels);
        let mut known: HashSet<Id> = ignored.iter().cloned().collect();
        let others = self.blocks.iter().flat_map(|block| &block.others);
        ignored.extend(others.filter(|&query| known.insert(query.clone())).cloned());
        ignored
    }

    /// The ranking of a query of the labels; `None` where the run has none.
    fn put_together<'d>(&'d self, position: usize, table: &'d mut Table<'_>) -> Result<Option<&'d Ranking>, Fault> {
        let query = self.labels.queries()[position].id();
        let start = self.start.ranking(query);
        if !table.walk.go_to(position) {
            return Ok(start);
        }
        match start {
            Some(start) => table.ranking.clone_from(start),
            None => table.ranking.restart(query.clone()),
        }
        table.walk.each_record(|record, lines| table.ranking.push(&record.row(query.as_bytes(), lines)))?;
        Ok(Some(&table.ranking))
    }

    /// The run as if it had been collected row by row.
    ///
    /// # Errors
    /// When the ids of one ranking are longer than 4 GiB.
    pub fn into_run(self) -> Result<Run, Fault> {
        let mut builder = RunBuilder::from(self.start);
        for block in self.blocks {
            block.in_order(self.labels, |row| builder.row(row))?;
        }
        Ok(builder.finish())
    }
}
