//! Razor: HTML around C#.
//!
//! HTML's grammar reads the markup and sees letters in place of the code. `razor` of the chunker
//! reads the code.

use super::html;
use crate::index::chunk::razor::markup_alone;
use crate::index::chunk::table::Table;

/// Razor's table.
pub(super) static TABLE: Table = Table { mask: Some(markup_alone), ..html::TABLE };
