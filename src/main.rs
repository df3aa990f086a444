//! The raglens command.
fn main() {}
