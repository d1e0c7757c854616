//! Where the bytes of a model come from. A model may be read more than once, in an archive too.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use crate::error::CityModelError;

/// A file, or a member of an archive, that can be read from its start any number of times.
pub(crate) trait Source {
    /// Opens it at its start, after a byte order mark, for as long as `read` runs.
    fn open(
        &mut self,
        read: &mut dyn FnMut(&mut dyn BufRead) -> Result<(), CityModelError>,
    ) -> Result<(), CityModelError>;
}

/// A file on disk.
pub(crate) struct FileSource<'a> {
    path: &'a Path,
}

impl<'a> FileSource<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        Self { path }
    }
}

impl Source for FileSource<'_> {
    fn open(
        &mut self,
        read: &mut dyn FnMut(&mut dyn BufRead) -> Result<(), CityModelError>,
    ) -> Result<(), CityModelError> {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(self.path)?);
        skip_byte_order_mark(&mut reader)?;
        read(&mut reader)
    }
}

/// Skips the byte order mark of UTF-8. A reader that returns it in pieces is not served.
pub(crate) fn skip_byte_order_mark(reader: &mut dyn BufRead) -> io::Result<()> {
    if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    Ok(())
}

/// The first bytes of a source.
pub(crate) fn head(source: &mut dyn Source) -> Result<Vec<u8>, CityModelError> {
    let mut head = Vec::new();
    source.open(&mut |reader| {
        reader.take(4096).read_to_end(&mut head)?;
        Ok(())
    })?;
    Ok(head)
}

/// A reader that fails when too many bytes pass between two resets, so that nobody collects an endless text.
pub(crate) struct Metered<R> {
    inner: R,
    left: Rc<Cell<usize>>,
}

impl<R: BufRead> Metered<R> {
    /// The reader and its meter, which its user sets to the bytes allowed.
    pub(crate) fn new(inner: R) -> (Self, Rc<Cell<usize>>) {
        let left = Rc::new(Cell::new(0));
        (Self { inner, left: Rc::clone(&left) }, left)
    }
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left.get() == 0 {
            return Err(io::Error::other("a text, tag or line is too long"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.left.set(self.left.get().saturating_sub(amount));
        self.inner.consume(amount);
    }
}
