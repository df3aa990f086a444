//! Paired statistics on plain slices: summaries, tests, intervals and planning.
