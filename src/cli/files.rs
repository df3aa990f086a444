//! Where files are written: what a path leads to, that it is no input, and all or nothing.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use crate::render::errors::{Message, reason};

/// As many links lead from one to the next as an operating system follows.
const MOST_LINKS: usize = 40;

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Standard output: `-`, `/dev/stdout`.
    Stdout,
    /// Standard error.
    Stderr,
    /// What is open or is no regular file (a pipe, a device): written into, never replaced.
    Stream(PathBuf),
    /// A regular file, or one that does not exist yet: replaced in one step.
    File(PathBuf),
}

impl Target {
    /// Follows a path to what it leads to. A link to a file that does not exist leads to that file.
    pub fn of(path: &Path) -> Self {
        let mut path = path.to_owned();
        if path.as_os_str() == "-" {
            return Self::Stdout;
        }
        for _ in 0..MOST_LINKS {
            let Some(here) = in_real_folder(&path) else { break };
            if let Some(open) = Self::open_already(&here) {
                return open;
            }
            match fs::read_link(&here) {
                Ok(link) => path = here.with_file_name("").join(link),
                Err(_) => return Self::at(here),
            }
        }
        Self::at(path)
    }

    /// One of the streams that the command was started with, by its number in `/dev/fd`.
    fn open_already(path: &Path) -> Option<Self> {
        let folder = path.parent()?;
        let is_list = folder.ends_with("fd") && (folder.starts_with("/proc") || folder.starts_with("/dev"));
        match path.file_name()?.to_str()? {
            _ if !is_list => None,
            "1" => Some(Self::Stdout),
            "2" => Some(Self::Stderr),
            _ => Some(Self::Stream(path.to_owned())),
        }
    }

    fn at(path: PathBuf) -> Self {
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => Self::Stream(path),
            _ => Self::File(path),
        }
    }
}

/// The path with its folder as it really is; `None` where there is no such folder.
fn in_real_folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

/// Checks, before any work is done, that no output is an input and no two outputs are one.
///
/// # Errors
/// When one is. `outputs` are options with their paths; without a path they go to standard output.
pub fn check(outputs: &[(&str, Option<&Path>)], inputs: &[&str]) -> Result<(), Failure> {
    let targets = outputs.iter().map(|&(option, path)| (option, Target::of(path.unwrap_or(Path::new("-")))));
    let targets: Vec<(&str, Target)> = targets.collect();
    for (index, (option, target)) in targets.iter().enumerate() {
        if let Some(place) = targets[..index].iter().position(|(_, other)| is_same(other, target)) {
            let title = match outputs[place] {
                (other, Some(_)) => format!("`{other}` and `{option}` would write to the same place"),
                (_, None) => format!("`{option}` would write to standard output, where the result goes"),
            };
            return Err(Failure::new(title, "each takes a file of its own"));
        }
        if let Some(input) = inputs.iter().find(|input| is_input(target, input)) {
            let title = format!("`{option}` would write over {input}, which is read");
            return Err(Failure::new(title, format!("`{option}` takes another path")));
        }
    }
    Ok(())
}

fn is_same(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::File(one), Target::File(other)) => one == other || is_same_file(one, other),
        (Target::Stream(_), _) => false,
        _ => one == other,
    }
}

fn is_input(target: &Target, input: &str) -> bool {
    let input = if input == "-" { Path::new("/dev/stdin") } else { Path::new(input) };
    matches!(target, Target::File(path) if is_same_file(path, input))
}

/// Whether two paths lead to one regular file.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path| {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.dev(), metadata.ino()))
    };
    identity(one).is_some_and(|found| identity(other) == Some(found))
}

#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|found| fs::canonicalize(other).is_ok_and(|other| other == found))
}

/// A file that is complete but does not stand in its place yet.
pub enum Prepared {
    /// It takes the place of the path.
    Temporary(tempfile::NamedTempFile, PathBuf),
    /// It is open, and takes these bytes.
    Open(File, Vec<u8>),
}

impl Prepared {
    /// Writes everything that can be written without touching what is there.
    ///
    /// # Errors
    /// When that fails.
    pub fn new(target: &Target, text: &str) -> io::Result<Self> {
        match target {
            Target::File(path) => {
                let mut file = beside(path)?;
                file.write_all(text.as_bytes())?;
                Ok(Self::Temporary(file, path.clone()))
            }
            Target::Stream(path) => Ok(Self::Open(File::options().append(true).open(path)?, text.into())),
            Target::Stdout | Target::Stderr => Err(ErrorKind::Unsupported.into()),
        }
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// When that fails. A reader that went away is no error.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Temporary(file, path) => file.persist(path).map(drop).map_err(|error| error.error),
            Self::Open(mut file, bytes) => match file.write_all(&bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                written => written,
            },
        }
    }
}

/// An empty file that can take the place of another in one step.
///
/// # Errors
/// When it cannot be made in the folder of the other.
pub fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    temporary(path)?.tempfile_in(folder)
}

/// The failure of something that cannot be written.
pub fn unwritable(what: &str, error: &io::Error) -> Failure {
    Message::new(format!("{what} cannot be written: {}", reason(error))).into()
}

/// A temporary file with the permissions of the file that it replaces, else those of a new file.
#[cfg(unix)]
fn temporary(target: &Path) -> io::Result<tempfile::Builder<'static, 'static>> {
    use std::os::unix::fs::PermissionsExt;
    let new = fs::Permissions::from_mode(0o666);
    let permissions = fs::metadata(target).map_or(new, |metadata| metadata.permissions());
    let mut builder = tempfile::Builder::new();
    builder.permissions(permissions);
    Ok(builder)
}

#[cfg(not(unix))]
fn temporary(_target: &Path) -> io::Result<tempfile::Builder<'static, 'static>> {
    Ok(tempfile::Builder::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_what_is_open_and_to_files_that_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        let link = |name: &str, to: &Path| {
            std::os::unix::fs::symlink(to, real.join(name)).unwrap();
            Target::of(&folder.path().join(name))
        };
        assert_eq!(link("out", Path::new("/dev/stdout")), Target::Stdout);
        assert_eq!(link("null", Path::new("/dev/null")), Target::Stream("/dev/null".into()));
        assert_eq!(link("new", Path::new("later.txt")), Target::File(real.join("later.txt")));
        assert_eq!(link("newer", &real.join("new")), Target::File(real.join("later.txt")));
        assert_eq!(Target::of(Path::new("/dev/fd/2")), Target::Stderr);
    }
}
