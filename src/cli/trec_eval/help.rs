//! What `-h` and `-v` print.

use super::table::Request;

/// The version of trec_eval whose output is printed, and that of raglens.
pub fn version() -> String {
    format!("trec_eval version 10.0-rc3 (raglens {})\n", env!("CARGO_PKG_VERSION"))
}

/// The help text.
pub fn text(_requests: &[Request]) -> String {
    String::new()
}
