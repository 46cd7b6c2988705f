//! Bytes, offsets or milliseconds to places on a line.

/// A line on which `span` units take `width`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Where unit 0 stands, tenths of a px.
    pub x: i32,
    /// Length of the line, tenths of a px.
    pub width: i32,
    /// Units on it; at least 1.
    pub span: u64,
}

impl Scale {
    /// A line of `span` units.
    pub fn new(x: i32, width: i32, span: u64) -> Scale {
        Scale {
            x,
            width: width.max(0),
            span: span.max(1),
        }
    }

    /// The place of a unit, on a whole px; never past the end of the line.
    pub fn at(self, unit: u64) -> i32 {
        self.x + self.length(unit)
    }

    /// The length of some units, on a whole px.
    pub fn length(self, units: u64) -> i32 {
        let width = (self.width / 10) as u128;
        let span = u128::from(self.span);
        ((width * u128::from(units.min(self.span)) * 2 + span) / (2 * span)) as i32 * 10
    }
}
