//! The tags by which nobody looked.

use raglens::id::escaped;

/// As many tags are named.
const NAMED: usize = 5;

/// The sentence that names them, if there are any.
pub fn unseen(tags: &[String]) -> Option<String> {
    let named: Vec<String> = tags.iter().take(NAMED).map(|name| escaped(name.as_bytes())).collect();
    let more = if tags.len() > NAMED { ",..." } else { "" };
    (!tags.is_empty()).then(|| format!("A mean can hide slices: --by {}{more} shows them.", named.join(",")))
}
