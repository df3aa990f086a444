//! A pilot: the saved scores of two runs, joined on query id.

use std::collections::BTreeMap;
use std::path::Path;

use raglens::error::InputErrorKind;
use raglens::id::Id;
use raglens::input::{ReadOptions, SavedRun, SavedScores, Source, read_saved};
use raglens::notes::Notes;
use raglens::stats::mcnemar::TwoByTwo;
use raglens::stats::paired::Paired;
use raglens::stats::summary::{ZERO_SPREAD, sample_sd};

use crate::cli::failure::Failure;
use crate::cli::names::{self, RunArgument};
use crate::cli::{hash_of, inputs};
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;
use crate::render::power::report::{Measured, Pilot};
