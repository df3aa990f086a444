//! Results too large to be held: written aside while they are made, in their place once they are
//! complete.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use super::failure::Failure;
use super::files::{Target, beside, unwritable};

/// A result that is written aside.
#[derive(Debug)]
pub struct Spool {
    aside: Aside,
    target: Target,
    shown: String,
    gzip: bool,
}

#[derive(Debug)]
enum Aside {
    /// Beside the file whose place it takes.
    Beside(NamedTempFile),
    /// Anywhere, to be copied to a stream.
    Nameless(File),
}

impl Spool {
    /// An empty place for what goes to a path, or to standard output; packed with gzip when the
    /// name ends in `.gz`.
    ///
    /// # Errors
    /// When it cannot be made, or the name promises what is not written.
    pub fn new(path: Option<&Path>) -> Result<Self, Failure> {
        let path = path.unwrap_or(Path::new("-"));
        let target = Target::of(path);
        let shown = if target == Target::Stdout { "standard output".to_owned() } else { path.display().to_string() };
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase()).unwrap_or_default();
        if let Some(packer) = ["zst", "bz2", "xz", "zip", "lz4", "parquet"].iter().find(|packer| ending == **packer) {
            let title = format!("{shown} would not be what its name says: `.{packer}` is not written");
            return Err(Failure::new(title, "a name that ends in `.gz` is packed with gzip, any other is not packed"));
        }
        let aside = match &target {
            Target::File(path) => beside(path).map(Aside::Beside),
            Target::Stdout | Target::Stderr | Target::Stream(_) => tempfile::tempfile().map(Aside::Nameless),
        };
        let aside = aside.map_err(|error| unwritable(&shown, &error))?;
        Ok(Self { aside, target, shown, gzip: ending == "gz" })
    }

    /// What takes the result; what was written before is gone.
    ///
    /// # Errors
    /// When the file cannot be emptied.
    pub fn begin(&self) -> io::Result<Packer> {
        let mut file = self.file().try_clone()?;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        let plain = BufWriter::new(file);
        Ok(match self.gzip {
            true => Packer::Gzip(Box::new(GzEncoder::new(plain, Compression::default()))),
            false => Packer::Plain(plain),
        })
    }

    /// What was written, from its start.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn written(&self) -> io::Result<File> {
        let mut file = self.file().try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }

    /// The failure of a result that cannot be written.
    pub fn unwritable(&self, error: &io::Error) -> Failure {
        unwritable(&self.shown, error)
    }

    /// Puts the result into its place.
    ///
    /// # Errors
    /// When that fails. A reader that went away is no error.
    pub fn deliver(self) -> Result<(), Failure> {
        let copied = match &self.target {
            Target::File(_) => Ok(()),
            Target::Stdout => self.copy(&mut io::stdout().lock()),
            Target::Stderr => self.copy(&mut io::stderr().lock()),
            Target::Stream(path) => File::options().append(true).open(path).and_then(|mut file| self.copy(&mut file)),
        };
        let placed = match (copied, self.aside, &self.target) {
            (Ok(()), Aside::Beside(file), Target::File(path)) => persist(file, path),
            (copied, ..) => copied,
        };
        placed.map_err(|error| unwritable(&self.shown, &error))
    }

    fn copy(&self, stream: &mut dyn Write) -> io::Result<()> {
        let copied = io::copy(&mut self.written()?, stream).and_then(|_| stream.flush());
        match copied {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            copied => copied,
        }
    }

    fn file(&self) -> &File {
        match &self.aside {
            Aside::Beside(file) => file.as_file(),
            Aside::Nameless(file) => file,
        }
    }
}

fn persist(file: NamedTempFile, path: &PathBuf) -> io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Takes a result, packed or as it is.
#[derive(Debug)]
pub enum Packer {
    /// As it is.
    Plain(BufWriter<File>),
    /// Packed with gzip.
    Gzip(Box<GzEncoder<BufWriter<File>>>),
}

impl Packer {
    /// Writes all that is still held back.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut plain) => plain.flush(),
            Self::Gzip(packed) => packed.finish()?.flush(),
        }
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(plain) => plain.write(bytes),
            Self::Gzip(packed) => packed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(plain) => plain.flush(),
            Self::Gzip(packed) => packed.flush(),
        }
    }
}
