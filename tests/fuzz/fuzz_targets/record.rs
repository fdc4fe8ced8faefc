//! Records: any bytes, and records of real texts with some bytes changed, give a value or an error.
//! A readable record makes a valid segment.
#![no_main]

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::index::chunk::ChunkOptions;
use git_cora::index::record::{self, FileRecord, OpenRecord, RecordView, Scratch};
use git_cora::search::segment::{self, Segment, SegmentBuilder};
use git_cora_fuzz::{Edit, Text, damage};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Damaged { target_bytes: u16, edits: Vec<Edit>, text: Text<'a> },
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(bytes) => read(bytes),
    Input::Damaged { target_bytes, edits, text } => {
        let (language, text) = text.get();
        let options = ChunkOptions { target_bytes: target_bytes.into(), ..ChunkOptions::default() };
        let made = FileRecord::Indexed(git_cora_fuzz::record(language, &text, &options));
        let mut bytes = record::encode(&made);
        assert_eq!(record::decode(&bytes).as_ref(), Ok(&made), "a record survives its bytes");
        damage(&mut bytes, &edits);
        read(&bytes);
    }
});

fn read(bytes: &[u8]) {
    let decoded = record::decode(bytes);
    if let Ok(value) = &decoded {
        let _ = record::decode(&record::encode(value));
    }
    let Ok(OpenRecord::Indexed(view)) = RecordView::open(bytes) else { return };
    let mut builder = SegmentBuilder::new();
    match builder.add_file(b"src/a.rs".as_bstr(), &view, &mut Scratch::default()) {
        Err(segment::Error::Limit { .. }) => return,
        // The builder remains usable after a damaged record.
        Err(_) | Ok(()) => {}
    }
    let Ok(bytes) = builder.into_memory() else { return };
    let segment = Segment::from_bytes(bytes).expect("because the builder made it");
    segment.verify().expect("because the builder made it");
}
