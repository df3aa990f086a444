//! Hashes: of what labels say, whatever the format, the packing and the order of lines, and of the
//! bytes of a file.

use std::fs::{self, File};
use std::io::{Read, Write};

use raglens::labels::{Labels, QueryLabels};
use sha2::{Digest, Sha256};

/// So much is hashed at a time.
const CHUNK: usize = 16 * 1024;

/// The hash over all judgments, sorted by query and document: `sha256:…`.
pub fn of_labels(labels: &Labels) -> String {
    let mut queries: Vec<&QueryLabels> = labels.queries().iter().collect();
    if !queries.is_sorted_by(|a, b| a.id() <= b.id()) {
        queries.sort_unstable_by(|a, b| a.id().cmp(b.id()));
    }
    let (mut hasher, mut text) = (Sha256::new(), Vec::with_capacity(2 * CHUNK));
    let (mut judgments, mut order) = (Vec::new(), Vec::new());
    for query in queries {
        judgments.clear();
        judgments.extend(query.judgments());
        sort(&judgments, &mut order);
        for &(_, index) in &order {
            let (document, grade) = judgments[index as usize];
            write(&mut text, query.id().as_bytes(), document, grade);
            if text.len() >= CHUNK {
                hasher.update(&text);
                text.clear();
            }
        }
    }
    hasher.update(&text);
    named(hasher)
}

/// The hash over the bytes of a file; `None` of a pipe, which is gone once it is read.
pub fn of_file(path: &str) -> Option<String> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 4 * CHUNK]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(named(hasher)),
            length => hasher.update(&buffer[..length]),
        }
    }
}

fn named(hasher: Sha256) -> String {
    let hex: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// Writes a judgment. The lengths keep ids apart whatever bytes they hold.
fn write(text: &mut Vec<u8>, query: &[u8], document: &[u8], grade: f64) {
    write_whole(text, query.len());
    text.push(b' ');
    write_whole(text, document.len());
    text.push(b' ');
    match grade as u8 {
        small if f64::from(small) == grade => write_whole(text, small.into()),
        _ => write!(text, "{grade}").expect("memory takes everything"),
    }
    text.push(b'\n');
    text.extend_from_slice(query);
    text.extend_from_slice(document);
}

fn write_whole(text: &mut Vec<u8>, number: usize) {
    if number >= 10 {
        write_whole(text, number / 10);
    }
    text.push(b'0' + (number % 10) as u8);
}

/// Positions of judgments in the order of their documents, each with eight bytes of its document
/// as a number: the first of those in which not all documents are the same.
fn sort(judgments: &[(&[u8], f64)], order: &mut Vec<(u64, u32)>) {
    let first = judgments.first().map_or(&b""[..], |&(document, _)| document);
    let common = |document: &[u8]| first.iter().zip(document).take_while(|(a, b)| a == b).count();
    let shared = judgments.iter().fold(first.len(), |shared, (document, _)| shared.min(common(document)));
    order.clear();
    order.extend((0..).zip(judgments).map(|(index, (document, _))| (start_of(&document[shared..]), index)));
    let document = |index: u32| judgments[index as usize].0;
    let is_sorted = order.is_sorted_by(|a, b| a.0 < b.0 || (a.0 == b.0 && document(a.1) <= document(b.1)));
    if !is_sorted {
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| document(a.1).cmp(document(b.1))));
    }
}

/// The first eight bytes as a number; shorter ids come before longer ones that begin with them, or
/// are equal to them.
fn start_of(id: &[u8]) -> u64 {
    match id.first_chunk() {
        Some(start) => u64::from_be_bytes(*start),
        None => (0..8).fold(0, |start, index| start << 8 | u64::from(id.get(index).copied().unwrap_or(0))),
    }
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

    /// The same bytes, put together as simply as can be.
    fn plainly(rows: &[(String, String, f64)]) -> String {
        let mut rows = rows.to_vec();
        rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        let line = |(query, document, grade): &(String, String, f64)| {
            format!("{} {} {}\n{query}{document}", query.len(), document.len(), grade + 0.0)
        };
        let text: String = rows.iter().map(line).collect();
        Sha256::digest(text).iter().fold("sha256:".to_owned(), |hex, byte| format!("{hex}{byte:02x}"))
    }

    #[test]
    fn the_hash_is_that_of_the_sorted_judgments_whatever_their_ids_and_grades() {
        let ids = ["", "a", "a\0", "a\0b", "commonly-a", "commonly-b1", "commonly-b1234567", "commonly-b12345678", "z"];
        let grades = [0.0, -0.0, 1.0, 2.5, -1.0, 255.0, 256.0, 1e21, 1e-7, 0.1];
        for step in [1, 2, 4, 5, 7, 8] {
            for ids in [&ids[..], &ids[4..8]] {
                let id = |index: usize| ids[index * step % ids.len()].to_owned();
                let mut rows = Vec::new();
                for (query, document) in (0..ids.len()).flat_map(|query| (0..ids.len()).map(move |of| (query, of))) {
                    rows.push((id(query), id(document), grades[(query + document) % grades.len()]));
                }
                let mut known = std::collections::HashSet::new();
                rows.retain(|(query, document, _)| known.insert((query.clone(), document.clone())));
                let borrowed: Vec<_> = rows.iter().map(|(query, id, grade)| (&**query, &**id, *grade)).collect();
                assert_eq!(hash(&borrowed), plainly(&rows));
            }
        }
    }
}
