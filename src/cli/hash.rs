//! Hashes: of what labels say, whatever the format, the packing and the order of lines, and of the
//! bytes of a file.

use raglens::labels::Labels;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;

/// The hash over all judgments, sorted by query and document: `sha256:…`.
pub fn of_labels(labels: &Labels) -> String {
    let mut queries: Vec<_> = labels.queries().iter().collect();
    queries.sort_by(|a, b| a.id().cmp(b.id()));
    let mut hasher = Sha256::new();
    for query in queries {
        let mut judgments: Vec<(&[u8], f64)> = query.judgments().collect();
        judgments.sort_by(|a, b| a.0.cmp(b.0));
        for (document, grade) in judgments {
            // The lengths keep ids apart whatever bytes they hold.
            let lengths = format!("{} {} {}\n", query.id().as_bytes().len(), document.len(), grade + 0.0);
            hasher.update(lengths);
            hasher.update(query.id().as_bytes());
            hasher.update(document);
        }
    }
    named(hasher)
}

/// The hash over the bytes of a file; `None` of a pipe, which is gone once it is read.
pub fn of_file(path: &str) -> Option<String> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut hasher = Sha256::new();
    let mut file = File::open(path).ok()?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut buffer).ok()? {
            0 => return Some(named(hasher)),
            length => hasher.update(&buffer[..length]),
        }
    }
}

fn named(hasher: Sha256) -> String {
    let hex: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use raglens::labels::{DuplicateLabels, LabelsBuilder};

    fn hash(rows: &[(&str, &str, f64)]) -> String {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        for (line, (query, document, grade)) in (1..).zip(rows) {
            builder.judge(query.as_bytes(), document.as_bytes(), *grade, line).unwrap();
        }
        of_labels(&builder.finish())
    }

    #[test]
    fn the_order_of_lines_does_not_matter_and_every_grade_does() {
        let one = hash(&[("q1", "a", 1.0), ("q2", "b", 0.0)]);
        assert_eq!(one, hash(&[("q2", "b", 0.0), ("q1", "a", 1.0)]));
        assert_ne!(one, hash(&[("q1", "a", 2.0), ("q2", "b", 0.0)]));
        assert_ne!(hash(&[("q1", "a", 1.0)]), hash(&[("q", "1a", 1.0)]));
    }
}
