//! How a file is packed, by its first bytes: unpacked while it is read, or refused with the
//! command that helps.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::gzip::Gzip;
use super::open::unreadable;
use crate::error::{Fault, InputErrorKind};

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Not at all.
    Plain,
    /// gzip, with one or several members.
    Gzip,
    /// Zstandard, with one or several frames.
    Zstd,
}

/// Any stream of bytes.
pub(super) type Stream = Box<dyn Read + Send>;

/// A stream of which the first bytes are known.
pub(super) type Peeked = Chain<Cursor<Vec<u8>>, Stream>;

/// Enough to know every container: the mark of a tar archive stands 257 bytes in.
const HEAD: usize = 512;

/// A container that is recognised and not read.
struct Refused {
    name: &'static str,
    /// The command that makes a readable file of it; `FILE` stands for its path.
    command: &'static str,
    is: fn(&[u8]) -> bool,
}

static REFUSED: &[Refused] = &[
    Refused { name: "a bzip2 file", command: "bunzip2 --keep FILE", is: is_bzip2 },
    Refused { name: "an xz file", command: "unxz --keep FILE", is: |head| head.starts_with(b"\xFD7zXZ\0") },
    Refused { name: "a zip archive", command: "unzip FILE", is: is_zip },
    Refused { name: "a 7z archive", command: "7z x FILE", is: |head| head.starts_with(b"7z\xBC\xAF\x27\x1C") },
    Refused { name: "a compress (.Z) file", command: "uncompress -k FILE", is: |head| head.starts_with(b"\x1F\x9D") },
    Refused { name: "a tar archive", command: "tar -xf FILE", is: |head| head.get(257..262) == Some(b"ustar") },
    Refused {
        name: "an LZ4 file, as ranx saves runs",
        command: "python3 -c \"import ranx; ranx.Run.from_file('FILE').save('run.json')\"",
        is: |head| head.starts_with(b"\x04\x22\x4D\x18"),
    },
    Refused {
        name: "an Arrow file",
        command: "python3 -c \"import pandas; pandas.read_feather('FILE').to_csv('table.csv', index=False)\"",
        is: |head| head.starts_with(b"ARROW1"),
    },
    Refused {
        name: "a Parquet file",
        command: "python3 -c \"import pandas; pandas.read_parquet('FILE').to_csv('table.csv', index=False)\"",
        is: |head| head.starts_with(b"PAR1"),
    },
    Refused { name: "UTF-32 text", command: "iconv -f UTF-32 -t UTF-8 FILE", is: is_utf32 },
];

fn is_bzip2(head: &[u8]) -> bool {
    head.starts_with(b"BZh") && matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90"))
}

fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

fn is_utf32(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE\0\0") || head.starts_with(b"\0\0\xFE\xFF")
}

fn container(head: &[u8]) -> Container {
    match head {
        [0x1F, 0x8B, ..] => Container::Gzip,
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Container::Zstd,
        _ => Container::Plain,
    }
}

/// Takes the wrapping off a stream. The path is only for the command of a refusal.
///
/// # Errors
/// A container that is not read; a stream that cannot be read.
pub(super) fn unpack(stream: Stream, path: &str) -> Result<(Container, Stream), Fault> {
    let (head, stream) = peek(stream)?;
    refuse(&head, path)?;
    let (container, name, unpacked): (_, _, Stream) = match container(&head) {
        Container::Plain => return Ok((Container::Plain, Box::new(stream))),
        Container::Gzip => (Container::Gzip, "gzip", Box::new(Gzip::new(stream))),
        Container::Zstd => (Container::Zstd, "zstd", Box::new(Zstd::new(stream))),
    };
    let (head, stream) = peek(Box::new(Unpacked { name, inner: unpacked }))?;
    refuse(&head, path)?;
    match self::container(&head) {
        Container::Plain => Ok((container, Box::new(stream))),
        Container::Gzip => Err(refusal("a packed gzip file", "gunzip --keep FILE", path)),
        Container::Zstd => Err(refusal("a packed zstd file", "unzstd FILE", path)),
    }
}

/// Looks at the first bytes of a stream without taking them away.
pub(super) fn peek(mut stream: Stream) -> Result<(Vec<u8>, Peeked), Fault> {
    let mut head = Vec::with_capacity(HEAD);
    stream.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
    Ok((head.clone(), Cursor::new(head).chain(stream)))
}

fn refuse(head: &[u8], path: &str) -> Result<(), Fault> {
    match REFUSED.iter().find(|refused| (refused.is)(head)) {
        Some(refused) => Err(refusal(refused.name, refused.command, path)),
        None => Ok(()),
    }
}

fn refusal(container: &'static str, command: &str, path: &str) -> Fault {
    // A path that a shell would take apart, or standard input, is left for the person to fill in.
    let plain = |c: char| c.is_alphanumeric() || "_-./+=@:".contains(c);
    let file = if path != "-" && path.chars().all(plain) { path } else { "FILE" };
    Fault::of_file(InputErrorKind::Container { container, command: command.replace("FILE", file) })
}

/// A stream whose errors mean that the packed data is damaged.
struct Unpacked<R> {
    name: &'static str,
    inner: R,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            let of_the_system = error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted;
            if of_the_system { error } else { damaged(self.name, &reason(&error)) }
        })
    }
}

/// What a decoder says; that data is missing may stand deep within.
fn reason(error: &io::Error) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if inner.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof) {
            return "it ends too early".to_owned();
        }
        cause = inner.source();
    }
    match error.to_string() {
        // Its first bytes were right, so this is about another member.
        text if text == "invalid gzip header" => NOT_PACKED.to_owned(),
        text => text,
    }
}

/// What is wrong with text behind packed data.
const NOT_PACKED: &str = "something that is not packed follows it";

/// The frames of a zstd file, one after the other.
struct Zstd<R: Read> {
    stream: BufReader<R>,
    decoder: FrameDecoder,
}

impl<R: Read> Zstd<R> {
    fn new(stream: R) -> Self {
        Self { stream: BufReader::new(stream), decoder: FrameDecoder::new() }
    }

    /// Starts a frame; one of the kind that is to be skipped is stepped over.
    fn start_frame(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.stream) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                Err(io::Error::other(NOT_PACKED))
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.stream.by_ref().take(length), &mut io::sink())?;
                if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
            }
            started => started.map_err(io::Error::other),
        }
    }

    fn check_sum(&self) -> io::Result<()> {
        let stored = self.decoder.get_checksum_from_data();
        match stored.is_none() || stored == self.decoder.get_calculated_checksum() {
            true => Ok(()),
            false => Err(io::Error::other("its checksum does not fit")),
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let step = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.stream, step).map_err(io::Error::other)?;
                continue;
            }
            self.check_sum()?;
            if self.stream.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.start_frame()?;
        }
        self.decoder.read(buffer)
    }
}

/// A fault on its way through a reader.
#[derive(Debug)]
pub(super) struct Carried(pub Fault);

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(f)
    }
}

impl Error for Carried {}

/// The error of a reader that finds its data damaged.
pub(super) fn damaged(container: &'static str, reason: &str) -> io::Error {
    let kind = InputErrorKind::Damaged { container, reason: reason.to_owned() };
    io::Error::other(Carried(Fault::of_file(kind)))
}

/// A stream that only ever says what is wrong with it.
pub(super) struct Broken(pub Fault);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(Carried(self.0.clone())))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn unpacked(bytes: &[u8]) -> Result<(Container, Vec<u8>), Fault> {
        let (container, mut stream) = unpack(Box::new(Cursor::new(bytes.to_vec())), "run.trec")?;
        let mut text = Vec::new();
        stream.read_to_end(&mut text).map_err(|error| unreadable(&error))?;
        Ok((container, text))
    }

    fn refused(bytes: &[u8]) -> String {
        let fault = unpacked(bytes).unwrap_err();
        format!("{}: {}", fault.kind, fault.kind.help().unwrap_or_default())
    }

    #[test]
    fn several_members_and_frames_are_one_text() {
        let members = [gzip(b"q1 0 a 1\n"), gzip(b""), gzip(b"q1 0 b 1\n")].concat();
        assert_eq!(unpacked(&members).unwrap(), (Container::Gzip, b"q1 0 a 1\nq1 0 b 1\n".to_vec()));
        let skipped = b"\x50\x2A\x4D\x18\x03\0\0\0abc".to_vec();
        let frames = [zstd(b"q1 0 a 1\n"), skipped, zstd(b"q1 0 b 1\n")].concat();
        assert_eq!(unpacked(&frames).unwrap(), (Container::Zstd, b"q1 0 a 1\nq1 0 b 1\n".to_vec()));
    }

    #[test]
    fn zero_bytes_behind_the_last_member_are_padding_and_anything_else_is_damage() {
        let packed = gzip(b"q1 0 a 1\n");
        let padded = [&packed[..], &[0; 70_000]].concat();
        assert_eq!(unpacked(&padded).unwrap(), (Container::Gzip, b"q1 0 a 1\n".to_vec()));
        for rest in [&b"x"[..], b"\0\0x", &[&[0; 512], &packed[..]].concat()] {
            let fault = unpacked(&[&packed, rest].concat()).unwrap_err();
            assert!(matches!(*fault.kind, InputErrorKind::Damaged { .. }), "{}", fault.kind);
        }
    }

    #[test]
    fn text_behind_packed_data_is_told_in_plain_words() {
        for packed in [gzip(b"q1 0 a 1\n"), zstd(b"q1 0 a 1\n")] {
            let fault = unpacked(&[&packed[..], b"q1 0 b 1\nq1 0 c 1\n"].concat()).unwrap_err();
            let told = fault.kind.to_string();
            assert!(told.ends_with("data is damaged: something that is not packed follows it"), "{told}");
        }
    }

    #[test]
    fn damage_is_an_error_and_never_half_a_text() {
        let text = b"q1 Q0 document 1 2.5 tag\n".repeat(1000);
        for packed in [gzip(&text), zstd(&text)] {
            for end in [packed.len() - 1, packed.len() / 2, 9] {
                let fault = unpacked(&packed[..end]).unwrap_err();
                assert!(matches!(*fault.kind, InputErrorKind::Damaged { .. }), "{end}: {}", fault.kind);
            }
            let mut flipped = packed.clone();
            let last = flipped.len() - 2;
            flipped[last] ^= 1;
            assert!(matches!(*unpacked(&flipped).unwrap_err().kind, InputErrorKind::Damaged { .. }));
        }
    }

    #[test]
    fn other_containers_are_refused_with_the_command_that_helps() {
        assert_eq!(
            refused(b"BZh91AY&SY...."),
            "is a bzip2 file, which is not read directly: this makes a file that can be read: bunzip2 --keep run.trec"
        );
        assert!(refused(b"PAR1").contains("read_parquet('run.trec')"));
        assert!(refused(&gzip(&gzip(b"q1 0 a 1"))).contains("gunzip"));
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert!(refused(&gzip(&tar)).contains("tar -xf run.trec"));
    }

    #[test]
    fn a_path_with_spaces_is_not_put_into_a_command() {
        let fault = refusal("an xz file", "unxz --keep FILE", "my run; rm -r.xz");
        assert_eq!(fault.kind.help().unwrap(), "this makes a file that can be read: unxz --keep FILE");
    }
}
