//! Scores the queries of one thread, each as soon as the next one begins.

use super::shared::{Block, Streaming};
use crate::error::Fault;
use crate::evaluate::judge::Scratch;
use crate::evaluate::sheet::Sheet;
use crate::id::{Id, escaped};
use crate::run::{Call, Listing, Lists, Part, Parts, Ranking, Results, Row, RunSink, Sightings, TextRanking};

/// So many queries are scored before their scores are handed over.
const FULL: usize = 1024;

/// Takes rows of whole queries, from all of a text or from blocks of it.
pub(super) struct PartSink<'s> {
    streaming: &'s Streaming<'s>,
    scratch: Scratch,
    listing: Listing,
    /// The last query whose rows came one by one.
    current: Option<Ranking>,
    /// Whether it is not scored yet.
    is_open: bool,
    /// The position in the labels of the query that has begun.
    position: Option<usize>,
    /// Number of results of the last query: the next one will have about as many.
    expected: usize,
    sheet: Sheet,
    block: Block,
}

impl<'s> PartSink<'s> {
    pub fn new(streaming: &'s Streaming<'s>) -> Self {
        Self {
            streaming,
            scratch: Scratch::default(),
            listing: Listing::default(),
            current: None,
            is_open: false,
            position: None,
            expected: 0,
            sheet: Sheet::new(streaming.judge),
            block: Block::default(),
        }
    }

    /// Scores what is left and hands over everything that came one by one.
    pub fn finish(&mut self) {
        self.close();
        self.streaming.take_scores(&mut self.sheet);
        self.streaming.take(std::mem::take(&mut self.block));
    }

    /// The ranking of a query, which is the current one or a new one.
    fn ranking(&mut self, query: &[u8]) -> Result<&mut Ranking, Fault> {
        let is_current = self.current.as_ref().is_some_and(|current| current.query().as_bytes() == query);
        if !(is_current && self.is_open) {
            self.close();
            self.position = self.streaming.begin(self.position, query)?;
            match &mut self.current {
                Some(ranking) => ranking.restart(Id::from(query)),
                None => self.current = Some(Ranking::new(Id::from(query))),
            }
            self.is_open = true;
        }
        Ok(self.current.as_mut().expect("a query has begun"))
    }

    /// Scores the current query.
    fn close(&mut self) {
        if std::mem::take(&mut self.is_open)
            && let Some(ranking) = self.current.take()
        {
            self.score(&ranking);
            self.current = Some(ranking);
        }
    }

    /// Scores the query that has begun.
    fn score<R: Results>(&mut self, results: &R) {
        match self.position {
            Some(position) => {
                match self.streaming.judge.score(position, Some(results), &mut self.scratch) {
                    Ok(scored) => self.sheet.push(position, scored),
                    Err(fault) => self.block.faults.push((position, fault)),
                }
                if self.sheet.len() >= FULL {
                    self.streaming.take_scores(&mut self.sheet);
                }
            }
            None => self.block.ignored.push(results.query().into()),
        }
    }
}

impl RunSink for PartSink<'_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.ranking(row.query)?.push(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.ranking(query)?.begin_call(call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, _: u64) -> Result<(), Fault> {
        self.ranking(query)?.resume_call(step);
        Ok(())
    }

    fn tag(&mut self, tag: &[u8]) {
        self.block.tag.get_or_insert_with(|| escaped(tag));
    }

    fn is_empty(&self) -> bool {
        !self.streaming.has_begun()
    }

    fn lists(&mut self) -> Option<&mut dyn Lists> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self.streaming)
    }
}

impl Lists for PartSink<'_> {
    fn listing(&mut self) -> &mut Listing {
        &mut self.listing
    }

    fn begin(&mut self, query: &[u8], sightings: &mut Sightings) -> Result<(), Fault> {
        self.position = self.streaming.begin(self.position, query)?;
        match self.position {
            Some(position) => self.streaming.judge.look(position, self.expected, sightings),
            None => sightings.clear(self.expected),
        }
        Ok(())
    }

    fn end(&mut self, results: &TextRanking<'_>) {
        self.expected = results.len();
        self.score(results);
    }
}

impl Part for PartSink<'_> {
    fn begin_block(&mut self, number: u64) {
        self.block = Block { number, ..Block::default() };
    }

    fn sink(&mut self) -> &mut dyn RunSink {
        self
    }

    fn end_block(&mut self) {
        self.finish();
    }
}
