//! Tests of whole segments: content survives a round trip, bytes are stable, damage is an error.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;

use super::samples::{SampleFile, builder, file, segment};
use super::*;
use crate::base::sharing::Sharing;
use crate::index::chunk::ReferenceKind;

fn files() -> Vec<SampleFile> {
    vec![
        file(
            "src/http/client.py",
            &[
                ("fetchPage", "Downloads a page.", "socket open retry_count"),
                ("retry", "", "count sleep socket socket"),
            ],
        ),
        file("src/main.rs", &[("main", "", "fetchPage parse_args")]),
        file("tests/test_client.py", &[("", "", "fetchPage assert")]),
    ]
}

fn chunks(segment: &Segment, term: &str) -> Vec<u32> {
    segment.postings([term].into_iter()).unwrap().remove(0).map(|p| p.chunk).collect()
}

#[test]
fn what_goes_in_comes_out() {
    let segment = segment(&files());
    assert_eq!((segment.n_files(), segment.n_chunks(), segment.n_declarations()), (3, 4, 3));
    assert_eq!(chunks(&segment, "fetchpage"), [0, 2, 3]);
    assert_eq!(chunks(&segment, "socket"), [0, 1]);
    assert_eq!(chunks(&segment, "pars"), [2]);
    assert_eq!(chunks(&segment, "nothing"), [0u32; 0]);
    let socket = segment.postings(["socket"].into_iter()).unwrap().remove(0).nth(1).unwrap();
    assert_eq!((socket.fields, socket.frequencies[Field::Body as usize]), (Field::Body.bit(), 2));
    let client: Vec<_> = segment.postings(["client"].into_iter()).unwrap().remove(0).collect();
    assert!(client.iter().all(|p| p.fields & Field::Stem.bit() != 0));
    assert_eq!(segment.symbol("fetchpage").unwrap(), [0]);
    assert_eq!(segment.symbol_path(0), "fetchPage");
    assert_eq!(
        segment.references(ReferenceKind::Call, "fetchPage").unwrap(),
        RoaringBitmap::from_iter([2, 3])
    );
    assert_eq!(segment.references(ReferenceKind::Call, "sleep").unwrap(), RoaringBitmap::from_iter([1]));
    assert!(segment.references(ReferenceKind::Import, "sleep").unwrap().is_empty());
    assert_eq!(segment.file_by_path("src/main.rs".into()), Some(1));
    assert!(segment.file(2).unwrap().flags.is_test());
    assert_eq!(segment.symbols_like("fetchpag", 1).unwrap().len(), 1);
    segment.verify().unwrap();
}

#[test]
fn bytes_do_not_depend_on_how_the_work_was_shared() {
    let files = files();
    let whole = builder(&files).into_memory().unwrap();
    for cut in 0..=files.len() {
        let mut first = builder(&files[..cut]);
        first.append(builder(&files[cut..])).unwrap();
        assert_eq!(first.into_memory().unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn files_out_of_order_are_refused() {
    let files = files();
    let mut last = builder(&files[1..]);
    assert!(matches!(last.append(builder(&files[..1])), Err(Error::Order { .. })));
    assert!(matches!(last.add_skipped("a".into(), 1), Err(Error::Order { .. })));
}

#[test]
fn a_file_is_written_whole_and_maps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("segment");
    let mut builder = builder(&files());
    builder.add_skipped("z.bin".into(), 7).unwrap();
    let size = builder.finish("tree", &path, Sharing::Umask).unwrap();
    assert_eq!(size, std::fs::metadata(&path).unwrap().len());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let segment = Segment::open(&path).unwrap();
    assert_eq!(segment.key(), b"tree");
    let index = Index::whole(&segment);
    assert_eq!(index.skipped().collect::<Vec<_>>(), [SkippedFile { path: "z.bin".into(), reason: 7 }]);
    let languages: Vec<_> = index.languages().into_iter().map(|l| (l.language, l.files, l.chunks)).collect();
    assert_eq!(languages, [("python".to_owned(), 2, 3), ("rust".to_owned(), 1, 1)]);
}

#[test]
fn the_overlay_replaces_files_of_the_base() {
    let files = files();
    let base = segment(&files);
    let overlay = segment(&[file("src/main.rs", &[("start", "", "x")]), file("zz.rs", &[("end", "", "y")])]);
    let index = Index::new(&base, RoaringBitmap::from_iter([2]), Some(&overlay));
    let paths: Vec<_> = index.files().map(|f| f.path().to_string()).collect();
    assert_eq!(paths, ["src/http/client.py", "src/main.rs", "zz.rs"]);
    let names: Vec<_> = index.declarations().map(|d| d.name().to_owned()).collect();
    assert_eq!(names, ["fetchPage", "retry", "start", "end"]);
    let scratch = segment(&[
        files[0].clone(),
        file("src/main.rs", &[("start", "", "x")]),
        file("zz.rs", &[("end", "", "y")]),
    ]);
    assert_eq!(index.statistics(), Index::whole(&scratch).statistics());
}

#[test]
fn live_chunks_are_those_of_files_that_are_not_outdated() {
    let base = segment(&[
        file("a.rs", &[("a", "", "x"), ("b", "", "x")]),
        file("b.rs", &[]),
        file("c.rs", &[("c", "", "x")]),
        file("d.rs", &[("d", "", "x"), ("e", "", "x"), ("f", "", "x")]),
    ]);
    for outdated in 0u32..16 {
        let masked: RoaringBitmap = (0..4).filter(|file| outdated >> file & 1 == 1).collect();
        let index = Index::new(&base, masked.clone(), None);
        let live: Vec<u32> = index.live_chunks(Part::Base).into_iter().flatten().collect();
        let files = (0..4).filter(|file| !masked.contains(*file));
        assert_eq!(live, files.flat_map(|file| base.chunks_of(file)).collect::<Vec<_>>(), "{outdated:b}");
        assert_eq!(index.live_chunks(Part::Overlay), []);
    }
    let index = Index::new(&base, RoaringBitmap::from_iter([0]), Some(&base));
    assert_eq!(index.live_chunks(Part::Overlay).into_iter().flatten().count(), 6);
}

/// Reads everything that a segment offers.
fn read_all(bytes: Vec<u8>) -> Result<()> {
    let segment = Segment::from_bytes(bytes)?;
    let index = Index::whole(&segment);
    index.languages();
    for declaration in index.declarations() {
        declaration.symbol_path();
    }
    for chunk in 0..segment.n_chunks() {
        segment.declarations_in(chunk);
    }
    let words: BTreeSet<&str> = ["fetchpage", "socket", "count", "client", "src", "sleep"].into();
    for postings in segment.postings(words.iter().copied())? {
        postings.for_each(drop);
    }
    for word in words {
        segment.symbol(word)?;
        segment.symbols_like(word, 1)?;
        segment.references(ReferenceKind::Call, word)?;
    }
    segment.symbols_with_prefix("", |_, _| true)?;
    segment.verify()
}

#[test]
fn every_flipped_or_missing_byte_is_an_error() {
    let bytes = builder(&files()).into_memory().unwrap();
    read_all(bytes.clone()).unwrap();
    // Bytes between sections are padding, which nothing reads. There are fewer than eight after
    // each.
    let mut unnoticed = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        unnoticed += usize::from(read_all(damaged).is_ok());
        assert!(at + 8 > bytes.len() || read_all(bytes[..at].to_vec()).is_err(), "cut at {at}");
    }
    assert!(unnoticed < layout::SECTIONS.len() * 8, "{unnoticed}");
}

#[test]
fn a_segment_opens_only_if_sections_without_checks_of_their_own_are_whole() {
    let bytes = builder(&files()).into_memory().unwrap();
    let table = layout::Table::open(&bytes).unwrap();
    for (section, ..) in layout::SECTIONS {
        let content = table.get(&bytes, section);
        let Some(last) = content.len().checked_sub(1) else { continue };
        let at = content.as_ptr().addr() - bytes.as_ptr().addr() + last;
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(section.checks_itself() || Segment::from_bytes(damaged).is_err(), "{}", section.name());
    }
}

#[test]
fn crafted_bytes_with_right_checksums_do_not_panic() {
    let bytes = builder(&files()).into_memory().unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = std::panic::catch_unwind(|| {
        for at in layout::HEADER..bytes.len() {
            for bit in [0x01, 0x80] {
                let mut crafted = bytes.clone();
                crafted[at] ^= bit;
                layout::tests_reseal(&mut crafted);
                let _ = read_all(crafted);
            }
        }
    });
    std::panic::set_hook(hook);
    outcome.unwrap();
}

#[test]
fn a_chunk_has_the_innermost_names_around_it_up_to_a_bound() {
    let name = |depth: usize| format!("Outer{depth}{}", "x".repeat(50));
    let mut text: String =
        (0..20).map(|depth| format!("{}class {}:\n", " ".repeat(depth), name(depth))).collect();
    (0..40).for_each(|n| text.push_str(&format!("{}value_{n} = compute_{n}(1)\n", " ".repeat(20))));
    let bytes = super::samples::source_record("a.py", &text);
    let crate::index::record::OpenRecord::Indexed(view) =
        crate::index::record::RecordView::open(&bytes).unwrap()
    else {
        panic!("it is indexed")
    };
    let mut builder = SegmentBuilder::new();
    builder.add_file("a.py".into(), &view, &mut crate::index::record::Scratch::default()).unwrap();
    let segment = Segment::from_bytes(builder.into_memory().unwrap()).unwrap();
    let last = segment.n_chunks() - 1;
    assert!(last > 3);
    let has = |depth: usize| chunks(&segment, &name(depth).to_lowercase()).contains(&last);
    assert!(has(19) && has(15), "the innermost names count");
    assert!(!has(0) && !has(5), "the outer ones would cost too much");
}
