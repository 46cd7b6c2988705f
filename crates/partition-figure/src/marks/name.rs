//! A base offset in the 20 digits of a file name: zeros dimmed, the number bold.

use partition_log::units::Offset;

use crate::metrics::{Face, number};
use crate::scene::{Span, span, spans};

/// The digits, and an extension; with an ellipsis for zeros that have no room.
pub fn name(base: Offset, extension: &str, face: Face, room: i32) -> Vec<Span> {
    let digits = number(base.get());
    let zeros = 20 - digits.len().min(20);
    let advance = face.width("0");
    let most = room * 100 / 105 / advance;
    let free = most - (digits.len() + extension.len()) as i32;
    let prefix = if free >= zeros as i32 {
        "0".repeat(zeros)
    } else {
        let mut prefix = "…".to_string();
        prefix.push_str(&"0".repeat((free - 1).clamp(0, zeros as i32) as usize));
        prefix
    };
    let mut spans = spans(&[("muted", &prefix), ("bold", &digits)]);
    if !extension.is_empty() {
        spans.push(span("", extension));
    }
    spans
}
