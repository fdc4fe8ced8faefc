//! Archives whose bytes depend on their content alone: sorted entries, one time, one owner.
//!
//! Pure: entries → bytes.

use std::collections::BTreeSet;
use std::io::Write as _;

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};

use crate::payload::Entry;

/// Returns the entries as `.tar.gz`, below the folder `top`. Only what lists them needs the folders
/// between (`dpkg`), so they are left out here.
pub(crate) fn tar_gz(entries: &[Entry], top: &str, seconds: u64) -> Result<Vec<u8>> {
    gzip(&tar(entries, top, seconds, false)?)
}

/// Returns the entries as a tar archive, below the folder `top`.
///
/// # Errors
/// A path is too long for the format.
pub(crate) fn tar(entries: &[Entry], top: &str, seconds: u64, with_dirs: bool) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut dirs = BTreeSet::new();
    for entry in entries {
        let path = format!("{top}/{}", entry.path);
        for (at, _) in path.match_indices('/').filter(|_| with_dirs) {
            let dir = path.get(..=at).unwrap_or_default();
            if dirs.insert(dir.to_owned()) {
                let header = header(dir, EntryType::Directory, 0o755, 0, seconds)?;
                archive.append(&header, &[][..]).with_context(|| format!("can't pack '{dir}'"))?;
            }
        }
        let size = u64::try_from(entry.bytes.len())?;
        let header = header(&path, EntryType::Regular, entry.mode(), size, seconds)?;
        archive.append(&header, entry.bytes.as_slice()).with_context(|| format!("can't pack '{path}'"))?;
    }
    Ok(archive.into_inner()?)
}

/// Returns the header of an entry. The name is written as it is, also with `./` before it.
fn header(path: &str, kind: EntryType, mode: u32, size: u64, seconds: u64) -> Result<Header> {
    let mut header = Header::new_gnu();
    let name = &mut header.as_old_mut().name;
    let field = name.get_mut(..path.len()).with_context(|| format!("the path '{path}' is too long"))?;
    field.copy_from_slice(path.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(seconds);
    header.set_uid(0);
    header.set_gid(0);
    header.set_cksum();
    Ok(header)
}

/// Compresses bytes. The header has neither a name nor a time.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Returns the entries as a zip archive (pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3).
///
/// Written here, because all that is needed is one method, one time and the permissions of Unix.
///
/// # Errors
/// An archive of 4 GiB or more, or one with 65,536 entries.
pub(crate) fn zip(entries: &[Entry], top: Option<&str>, seconds: u64) -> Result<Vec<u8>> {
    /// The version that reads compressed files and folders, and the system Unix (4.4.2, 4.4.3).
    const NEEDED: u16 = 20;
    const MADE_BY: u16 = 3 << 8 | NEEDED;
    /// Names are UTF-8 (4.4.4), and data is deflated (4.4.5).
    const FLAGS: u16 = 1 << 11;
    const DEFLATED: u16 = 8;
    const REGULAR_FILE: u32 = 0o100_000;
    let stamp = dos_time(seconds);
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let path = top.map_or_else(|| entry.path.clone(), |top| format!("{top}/{}", entry.path));
        let (sum, packed) = deflate(&entry.bytes)?;
        let offset = u32::try_from(out.len()).context("the archive is too large")?;
        let mut common = Fields::default();
        common.short(NEEDED).short(FLAGS).short(DEFLATED).long(stamp).long(sum);
        common.long(u32::try_from(packed.len())?).long(u32::try_from(entry.bytes.len())?);
        common.short(u16::try_from(path.len())?).short(0);
        out.extend(b"PK\x03\x04");
        out.extend(&common.0);
        out.extend(path.as_bytes());
        out.extend(packed);
        let mut last = Fields::default();
        last.short(0).short(0).short(0).long((REGULAR_FILE | entry.mode()) << 16).long(offset);
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(common.0);
        directory.extend(last.0);
        directory.extend(path.as_bytes());
    }
    let n = u16::try_from(entries.len()).context("the archive has too many entries")?;
    let offset = u32::try_from(out.len()).context("the archive is too large")?;
    let mut end = Fields::default();
    end.short(0).short(0).short(n).short(n).long(u32::try_from(directory.len())?).long(offset).short(0);
    out.extend(directory);
    out.extend(b"PK\x05\x06");
    out.extend(end.0);
    Ok(out)
}

/// Numbers of a zip archive, the lowest byte first.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn short(&mut self, number: u16) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn long(&mut self, number: u32) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }
}

/// Returns the checksum of bytes, and the bytes compressed without any header.
fn deflate(bytes: &[u8]) -> Result<(u32, Vec<u8>)> {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok((sum.sum(), encoder.finish()?))
}

/// Converts seconds since 1970 to the time and date of a zip archive, which begins in 1980, counts
/// in steps of two seconds, and has no zone. Earlier times become its first.
fn dos_time(seconds: u64) -> u32 {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(i64::try_from(days).unwrap_or_default());
    let Some(year) = u32::try_from(year - 1980).ok().filter(|year| *year < 128) else {
        return 1 << 21 | 1 << 16;
    };
    let clock = ((rest / 3_600) << 11) | ((rest / 60 % 60) << 5) | (rest % 60 / 2);
    (year << 9 | u32::from(month) << 5 | u32::from(day)) << 16 | u32::try_from(clock).unwrap_or_default()
}

/// Returns the date of a day, counted from 1970-01-01, in the Gregorian calendar. Years begin in
/// March here, so that the leap day is the last one
/// (howardhinnant.github.io/date_algorithms.html#civil_from_days).
fn civil(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, u8::try_from(month).unwrap_or(1), u8::try_from(day).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn entries() -> Vec<Entry> {
        vec![Entry::program("bin/a", "program"), Entry::new("share/doc/b", "text")]
    }

    #[test]
    fn a_tar_archive_has_one_owner_one_time_and_the_modes() {
        let packed = tar_gz(&entries(), "top", 1_700_000_000).unwrap();
        assert_eq!(packed, tar_gz(&entries(), "top", 1_700_000_000).unwrap());
        assert_eq!(&packed[4..8], [0; 4], "no time in the header of gzip");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header().clone();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 1_700_000_000);
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            found.push((entry.path().unwrap().display().to_string(), header.mode().unwrap(), text));
        }
        let expected = [("top/bin/a", 0o755, "program"), ("top/share/doc/b", 0o644, "text")];
        assert_eq!(found, expected.map(|(path, mode, text)| (path.to_owned(), mode, text.to_owned())));
    }

    #[test]
    fn folders_come_before_what_is_in_them_and_once() {
        let packed = tar(&entries(), ".", 0, true).unwrap();
        let mut archive = tar::Archive::new(packed.as_slice());
        let paths: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect();
        assert_eq!(paths, ["./", "./bin/", "./bin/a", "./share/", "./share/doc/", "./share/doc/b"]);
    }

    #[test]
    fn a_zip_archive_has_the_modes_and_the_time() {
        let packed = zip(&entries(), Some("top"), 1_700_000_000).unwrap();
        assert_eq!(packed, zip(&entries(), Some("top"), 1_700_000_000).unwrap());
        let number = |at: usize, len: usize| {
            packed[at..at + len].iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte))
        };
        // The first entry of the directory, by way of the end of the archive.
        let end = packed.len() - 22;
        assert_eq!((&packed[end..end + 4], number(end + 10, 2)), (&b"PK\x05\x06"[..], 2));
        let at = number(end + 16, 4);
        assert_eq!(&packed[at..at + 4], b"PK\x01\x02");
        assert_eq!(number(at + 38, 4) >> 16, 0o100_755);
        // 2023-11-14 22:13:20.
        let (time, date) = (number(at + 12, 2), number(at + 14, 2));
        assert_eq!((time >> 11, time >> 5 & 63, (time & 31) * 2), (22, 13, 20));
        assert_eq!(((date >> 9) + 1980, date >> 5 & 15, date & 31), (2023, 11, 14));
        assert_eq!(&packed[at + 46..at + 55], b"top/bin/a");
        // Its data, behind the header in front of it.
        let from = 30 + number(26, 2);
        let mut text = String::new();
        let data = &packed[from..from + number(18, 4)];
        flate2::read::DeflateDecoder::new(data).read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), number(22, 4)), ("program", "program".len()));
    }

    #[test]
    fn days_are_dates() {
        for (days, date) in
            [(0, (1970, 1, 1)), (-1, (1969, 12, 31)), (11_016, (2000, 2, 29)), (20_783, (2026, 11, 26))]
        {
            assert_eq!(civil(days), date);
        }
        assert_eq!(dos_time(0), dos_time(315_532_800), "1980-01-01 is the first time");
        assert_eq!(dos_time(u64::MAX), dos_time(0));
    }
}
