//! The colours of text on a terminal, one list for all commands.
//!
//! The sixteen basic colours differ between terminals, and some can't be read on black or on white:
//! blue, yellow, bright black. These are fixed colours of the palette of 256. Each has a contrast
//! of at least 3 : 1 with black and with white, which a test computes.

use anstyle::{Ansi256Color, Effects, Style};

use super::highlight::Class;

const fn color(index: u8) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi256(Ansi256Color(index))))
}

const GREEN: Style = color(28);
const TEAL: Style = color(30);
const BLUE: Style = color(32);
const BROWN: Style = color(130);
const PINK: Style = color(133);
const RED: Style = color(160);
const GREY: Style = color(244);

/// A path.
pub const PATH: Style = PINK.bold();
/// A line number or another number.
pub const NUMBER: Style = GREEN;
/// The name of a declaration, and a heading.
pub const SYMBOL: Style = Style::new().bold();
/// What is read last: kinds, separators, footers.
pub const FAINT: Style = GREY;
/// A state that deserves attention.
pub const STATUS: Style = BROWN;
/// Something that is as it should be, or that was added.
pub const GOOD: Style = GREEN;
/// Something that is wrong, or that was removed.
pub const BAD: Style = RED;
/// The emphasis of a word of the query, in addition to the word's own colour.
pub const MATCH: Effects = Effects::BOLD.insert(Effects::UNDERLINE);

/// Returns the style of a class of source.
pub fn of_class(class: Class) -> Style {
    match class {
        Class::Comment => GREY,
        Class::String => GREEN,
        Class::Number => TEAL,
        Class::Keyword => BLUE,
        Class::Type => BROWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the palette, from 0 to 1, as WCAG 2.2 defines it.
    fn luminance(index: u8) -> f64 {
        let levels = match index {
            // The cube of 6 × 6 × 6.
            16..=231 => {
                let level = |of: u8| if of == 0 { 0 } else { 55 + 40 * of };
                let at = index - 16;
                [level(at / 36), level(at / 6 % 6), level(at % 6)]
            }
            232..=255 => [8 + 10 * (index - 232); 3],
            0..=15 => panic!("each terminal has its own"),
        };
        let linear = levels.map(|level| {
            let level = f64::from(level) / 255.0;
            if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn each_colour_is_legible_on_black_and_on_white() {
        for style in [GREEN, TEAL, BLUE, BROWN, PINK, RED, GREY] {
            let Some(anstyle::Color::Ansi256(Ansi256Color(index))) = style.get_fg_color() else {
                panic!("not of the palette of 256");
            };
            let of = luminance(index);
            let (on_black, on_white) = ((of + 0.05) / 0.05, 1.05 / (of + 0.05));
            assert!(on_black >= 3.0 && on_white >= 3.0, "{index}: {on_black:.2} and {on_white:.2}");
        }
    }
}
