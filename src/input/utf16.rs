//! UTF-16 as UTF-8, block by block.

use std::io::{self, ErrorKind, Read};

use super::container::damaged;

/// Code units that are decoded at a time.
const BLOCK: usize = 32 * 1024;

/// Reads UTF-16 behind its byte-order mark and gives out UTF-8.
pub(super) struct Utf16<R> {
    inner: R,
    big_endian: bool,
    /// Bytes that do not make a character yet.
    rest: Vec<u8>,
    text: Vec<u8>,
    given: usize,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(inner: R, big_endian: bool) -> Self {
        Self { inner, big_endian, rest: Vec::new(), text: Vec::new(), given: 0 }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.rest);
        self.inner.by_ref().take(2 * BLOCK as u64).read_to_end(&mut bytes)?;
        let ended = bytes.len() < 2 * BLOCK;
        let mut units: Vec<u16> = bytes.chunks_exact(2).map(|pair| self.unit(pair)).collect();
        let halved = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let kept = if halved && !ended { 2 } else { 0 } + bytes.len() % 2;
        if ended && bytes.len() % 2 == 1 {
            return Err(damaged("UTF-16", "it ends within a character"));
        }
        units.truncate((bytes.len() - kept) / 2);
        self.rest = bytes.split_off(bytes.len() - kept);
        let text: Result<String, _> = char::decode_utf16(units).collect();
        self.text = text.map_err(|error| damaged("UTF-16", &error.to_string()))?.into_bytes();
        self.given = 0;
        Ok(())
    }

    fn unit(&self, pair: &[u8]) -> u16 {
        let pair = [pair[0], pair[1]];
        if self.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            self.refill().or_else(|error| if error.kind() == ErrorKind::Interrupted { Ok(()) } else { Err(error) })?;
        }
        let count = buffer.len().min(self.text.len() - self.given);
        buffer[..count].copy_from_slice(&self.text[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], big_endian: bool) -> io::Result<String> {
        let mut text = String::new();
        Utf16::new(bytes, big_endian).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn both_byte_orders_give_the_same_text() {
        let text = "q1 0 é𝄞 1\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decoded(&little, false).unwrap(), text);
        assert_eq!(decoded(&big, true).unwrap(), text);
    }

    #[test]
    fn a_pair_may_stand_across_two_blocks() {
        let text = "x".repeat(BLOCK - 1) + "𝄞 end";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&bytes, false).unwrap(), text);
    }

    #[test]
    fn half_characters_are_damage() {
        assert!(decoded(b"q\0x", false).is_err());
        assert!(decoded(&[0x00, 0xD8], false).is_err());
    }
}
