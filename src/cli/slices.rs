//! `--by`: the slices that a command looks at beside the whole.

use clap::Args;
use raglens::compare::{Slice, UnknownTag, slices};
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::scores::ScoreTable;

use super::failure::Failure;
use crate::render::errors::Message;

/// The option that names tags.
#[derive(Debug, Clone, Default, Args)]
pub struct SliceArgs {
    /// Look at slices by tag too; a*b crosses two tags
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub by: Vec<String>,
}

impl SliceArgs {
    /// The slices of some queries, whose positions are their members.
    ///
    /// # Errors
    /// When no query has a tag of that name.
    pub fn of(&self, labels: &Labels, queries: &[Id]) -> Result<Vec<Slice>, Failure> {
        slices(labels, queries, &self.by).map_err(|error| unknown_tag(&error))
    }

    /// The slices of the rows of a table.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_table(&self, labels: &Labels, table: &ScoreTable) -> Result<Vec<Slice>, Failure> {
        match self.by.is_empty() {
            true => Ok(Vec::new()),
            false => self.of(labels, &table.queries().cloned().collect::<Vec<Id>>()),
        }
    }
}

/// What labels without tags lack.
const NO_TAGS: &str = "the labels have no tags at all; rows of JSON labels take \"tags\": {\"type\": \"how-to\"}";

/// The failure of a tag that there is not.
fn unknown_tag(error: &UnknownTag) -> Failure {
    let message = Message::new(error.to_string());
    match error.known.is_empty() {
        true => message.with_help(NO_TAGS).into(),
        false => message.with_detail(format!("there are: {}", error.known.join(", "))).into(),
    }
}
