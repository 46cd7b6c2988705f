//! Records packed by each codec, in the framing that Kafka's clients give it.

use std::io::{self, Write};

use fastrand::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;
use lz4_flex::frame::FrameEncoder;
use partition_log::format::batch::{BatchSpec, Codec};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The same batch with its records packed by one of the codecs.
pub fn compressed(rng: &mut Rng, batch: &BatchSpec) -> Vec<u8> {
    let codec = [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd][rng.usize(..4)];
    let area = packed(codec, &batch.records_area()).expect("memory takes all");
    batch.encode_area(codec, &area).expect("a small batch")
}

fn packed(codec: Codec, plain: &[u8]) -> io::Result<Vec<u8>> {
    Ok(match codec {
        Codec::None => plain.to_vec(),
        Codec::Gzip => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(plain)?;
            gzip.finish()?
        }
        Codec::Snappy => {
            // As snappy-java: a header, then chunks with their lengths in front.
            let mut out = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01".to_vec();
            let chunk = snap::raw::Encoder::new().compress_vec(plain)?;
            out.extend((chunk.len() as u32).to_be_bytes());
            out.extend(chunk);
            out
        }
        Codec::Lz4 => {
            let mut lz4 = FrameEncoder::new(Vec::new());
            lz4.write_all(plain)?;
            lz4.finish()?
        }
        Codec::Zstd => compress_to_vec(plain, CompressionLevel::Fastest),
    })
}
