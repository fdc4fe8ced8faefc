//! Units of length, mass and time.

use crate::error::CalcError;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Length,
    Mass,
    Time,
}

/// A unit with its size in the base unit of its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    pub symbol: &'static str,
    pub dimension: Dimension,
    pub factor: f64,
}

pub const UNITS: [Unit; 6] = [
    Unit { symbol: "m", dimension: Dimension::Length, factor: 1.0 },
    Unit { symbol: "km", dimension: Dimension::Length, factor: 1000.0 },
    Unit { symbol: "g", dimension: Dimension::Mass, factor: 0.001 },
    Unit { symbol: "kg", dimension: Dimension::Mass, factor: 1.0 },
    Unit { symbol: "s", dimension: Dimension::Time, factor: 1.0 },
    Unit { symbol: "h", dimension: Dimension::Time, factor: 3600.0 },
];

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    pub value: f64,
    pub unit: Unit,
}

impl Quantity {
    /// Converts to another unit of the same dimension.
    pub fn convert(self, unit: Unit) -> Result<Quantity, CalcError> {
        if self.unit.dimension != unit.dimension {
            return Err(CalcError::UnitMismatch(self.unit.symbol.to_owned(), unit.symbol.to_owned()));
        }
        Ok(Quantity { value: self.value * self.unit.factor / unit.factor, unit })
    }
}
