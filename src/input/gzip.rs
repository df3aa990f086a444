//! gzip: the members of a file one after the other, and the zero bytes that tapes and block devices
//! leave behind the last.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// How much packed data is read at a time.
const PACKED: usize = 64 * 1024;

/// The members of a gzip file as one text.
pub(super) struct Gzip<R> {
    /// The member that is being unpacked; `None` behind the last.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> Gzip<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { member: Some(GzDecoder::new(BufReader::with_capacity(PACKED, stream))) }
    }

    /// Goes on to the next member, if there is one.
    fn next_member(&mut self) -> io::Result<()> {
        let Some(mut stream) = self.member.take().map(GzDecoder::into_inner) else { return Ok(()) };
        match stream.fill_buf()?.first() {
            None => {}
            Some(0) => expect_zeros(stream)?,
            Some(_) => self.member = Some(GzDecoder::new(stream)),
        }
        Ok(())
    }
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            match member.read(buffer)? {
                0 if !buffer.is_empty() => self.next_member()?,
                count => return Ok(count),
            }
        }
        Ok(0)
    }
}

/// Checks that nothing but padding follows.
fn expect_zeros(mut stream: impl BufRead) -> io::Result<()> {
    loop {
        let rest = stream.fill_buf()?;
        if rest.iter().any(|&byte| byte != 0) {
            return Err(io::Error::other("other data follows the zero bytes behind it"));
        }
        match rest.len() {
            0 => return Ok(()),
            count => stream.consume(count),
        }
    }
}
