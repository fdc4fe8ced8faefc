//! Outlines: a ranked list of declarations → as many as fit a budget, by file, each with its
//! declaring line.
//!
//! The budget applies to the printed form. A caller that prints an outline in another form than
//! text passes its own drawing function ([`outline_as`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::theme::{FAINT, NUMBER, PATH, SYMBOL};
use super::{Budget, Paint, counted};
use crate::base::text::clean;

/// A declaration in an outline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OutlineItem {
    /// Source path.
    pub path: String,
    /// Line of its name, 1-based.
    pub line: u32,
    /// Its last line, 1-based, inclusive.
    pub end_line: u32,
    /// Kind of the declaration.
    pub kind: &'static str,
    /// Symbol path.
    pub symbol: String,
    /// Its signature on one line, as in the source; its name if it has none.
    pub signature: String,
    /// Ranking weight; 0 if it is listed only because it contains a ranked declaration.
    pub weight: f64,
    /// Index of the innermost item that contains it.
    #[serde(skip)]
    pub inside: Option<usize>,
}

/// What a newcomer needs before any declaration.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Introduction {
    /// What the repository is: a sentence of its README or its manifest; empty if neither says it.
    pub about: String,
    /// Where programs begin, the main one first.
    pub entries: Vec<EntryPoint>,
    /// Number of further entry points.
    pub more_entries: usize,
    /// The folders, those with most files first.
    pub folders: Vec<Folder>,
    /// Number of further folders.
    pub more_folders: usize,
}

/// A place where a program begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EntryPoint {
    /// Source path.
    pub path: String,
    /// Line of the function's name, 1-based; 1 if the file itself is started.
    pub line: u32,
    /// Symbol path of the function; empty if the file itself is started.
    pub symbol: String,
}

/// A folder of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Folder {
    /// Path, with `/` at its end.
    pub path: String,
    /// Number of indexed files in it.
    pub n_files: u32,
    /// What it is for: a sentence of its documentation, or its main declarations; may be empty.
    pub about: String,
}

impl Introduction {
    fn is_empty(&self) -> bool {
        self.about.is_empty() && self.entries.is_empty() && self.folders.is_empty()
    }

    fn draw(&self, out: &mut String, paint: Paint) {
        let more = |out: &mut String, n: usize| {
            if n > 0 {
                let _ = writeln!(out, "  {}", paint.text(&format!("and {n} more"), FAINT));
            }
        };
        if !self.about.is_empty() {
            let _ = writeln!(out, "{}\n", clean::name(&self.about));
        }
        if !self.entries.is_empty() {
            let _ = writeln!(out, "{}", paint.text("entry points", SYMBOL));
            for EntryPoint { path, line, symbol } in &self.entries {
                let (path, line) =
                    (paint.text(&clean::name(path), PATH), paint.text(&line.to_string(), NUMBER));
                let at = format!("  {path}:{line}  {}", clean::name(symbol));
                let _ = writeln!(out, "{}", at.trim_end());
            }
            more(out, self.more_entries);
            out.push('\n');
        }
        if !self.folders.is_empty() {
            let _ = writeln!(out, "{}", paint.text("directories", SYMBOL));
            let width = self.folders.iter().map(|one| one.path.chars().count()).max().unwrap_or_default();
            for Folder { path, n_files, about } in &self.folders {
                let files = counted(*n_files as usize, "file", "files");
                let pad = " ".repeat(width.saturating_sub(clean::name(path).chars().count()));
                let path = paint.text(&clean::name(path), PATH);
                let line = format!("  {path}{pad}  {files:>9}  {}", clean::name(about));
                let _ = writeln!(out, "{}", line.trim_end());
            }
            more(out, self.more_folders);
            out.push('\n');
        }
    }
}

/// Lower bound of the tokens that one line of an outline takes.
const LINE_TOKENS: usize = 4;

/// Returns the maximum number of declarations that an outline of this many tokens can hold, at
/// least one.
pub fn outline_limit(tokens: usize) -> usize {
    (tokens / LINE_TOKENS).max(1)
}

/// Declarations for an outline: first `n_ranked` ranked ones, best first, then the declarations
/// that contain them.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Outline {
    /// The declarations.
    pub items: Vec<OutlineItem>,
    /// Number of ranked declarations.
    pub n_ranked: usize,
    /// Number of ranked declarations that are not in `items`.
    pub n_more: usize,
    /// Whether nothing matches the question. The items then show what matters in the repository in
    /// general.
    pub is_missed: bool,
    /// What comes before the declarations of a whole repository.
    pub introduction: Option<Introduction>,
    /// The flags that show more; empty if there are none. They are named where the outline is cut.
    pub raise: &'static str,
}

/// The part of an outline that fits the budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutlineView<'o> {
    /// What comes before the declarations, if there is room for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub introduction: Option<&'o Introduction>,
    /// The files, the one with the best declaration first.
    pub files: Vec<OutlinedFile<'o>>,
    /// Number of ranked declarations that the budget left out.
    pub cut: usize,
    /// The flags that show more; may be empty.
    #[serde(skip)]
    raise: &'static str,
}

/// A file of an outline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutlinedFile<'o> {
    /// Its path.
    pub path: &'o str,
    /// Its declarations, by line.
    pub declarations: Vec<&'o OutlineItem>,
}

/// Returns the best part of an outline whose text stays within the budget, and that text.
///
/// The text is empty if not even the note about the cut fits.
pub fn outline<'o>(outline: &'o Outline, budget: &Budget) -> (OutlineView<'o>, String) {
    outline_as(outline, budget, &|outlined| draw(outlined, Paint::new(false)))
}

/// Selects like [`outline`], with the text that `draw` writes. The text must grow with the number
/// of declarations.
pub fn outline_as<'o>(
    outline: &'o Outline,
    budget: &Budget,
    draw: &dyn Fn(&OutlineView<'o>) -> String,
) -> (OutlineView<'o>, String) {
    // The introduction takes at most half of the budget.
    let half = Budget { characters: budget.characters.map(|n| n / 2), tokens: budget.tokens.map(|n| n / 2) };
    let introduction = outline.introduction.as_ref().filter(|one| !one.is_empty());
    let introduction = introduction.filter(|one| half.holds(&draw(&kept(outline, 0, Some(one)))));
    let kept = |n: usize| kept(outline, n, introduction);
    let none = kept(0);
    if !budget.holds(&draw(&none)) {
        return (none, String::new());
    }
    let best = kept(budget.most(0, outline.n_ranked, |n| draw(&kept(n))));
    let text = draw(&best);
    (best, text)
}

fn kept<'o>(outline: &'o Outline, n: usize, introduction: Option<&'o Introduction>) -> OutlineView<'o> {
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    for at in 0..n {
        let mut next = Some(at);
        while let Some(at) = next.filter(|at| chosen.insert(*at)) {
            next = outline.items.get(at).and_then(|item| item.inside);
        }
    }
    // The first item of each file is its best.
    let mut files: Vec<OutlinedFile<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for item in chosen.into_iter().filter_map(|at| outline.items.get(at)) {
        let at = *places.entry(&item.path).or_insert_with(|| {
            files.push(OutlinedFile { path: &item.path, declarations: Vec::new() });
            files.len() - 1
        });
        if let Some(file) = files.get_mut(at) {
            file.declarations.push(item);
        }
    }
    for file in &mut files {
        // Outer declarations come before inner ones on the same line.
        file.declarations.sort_by_key(|item| (item.line, std::cmp::Reverse(item.end_line)));
    }
    let cut = outline.n_more + outline.n_ranked.saturating_sub(n);
    OutlineView { introduction, files, cut, raise: outline.raise }
}

/// Draws as [`outline`] does, in the colours of a terminal.
pub fn outline_in_colour(outlined: &OutlineView<'_>) -> String {
    draw(outlined, Paint::new(true))
}

fn draw(outlined: &OutlineView<'_>, paint: Paint) -> String {
    let mut out = String::new();
    if let Some(introduction) = outlined.introduction {
        introduction.draw(&mut out, paint);
    }
    for file in &outlined.files {
        let _ = writeln!(out, "{}", paint.text(&clean::name(file.path), PATH));
        let mut around: Vec<u32> = Vec::new();
        for item in &file.declarations {
            while around.last().is_some_and(|end| *end < item.line) {
                around.pop();
            }
            let indent = "  ".repeat(around.len());
            let pad = " ".repeat(5usize.saturating_sub(item.line.to_string().len()));
            let line = paint.text(&item.line.to_string(), NUMBER);
            let _ = writeln!(out, "{pad}{line} {indent}{}", clean::name(&item.signature));
            around.push(item.end_line);
        }
    }
    if outlined.cut > 0 {
        let raise = outlined.raise;
        let raise = if raise.is_empty() { String::new() } else { format!("; raise {raise}") };
        let more = format!("and {}{raise}", counted(outlined.cut, "more declaration", "more declarations"));
        let _ = writeln!(out, "{}", paint.text(&more, FAINT));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(path: &str, lines: (u32, u32), signature: &str, inside: Option<usize>) -> OutlineItem {
        OutlineItem {
            path: path.to_owned(),
            line: lines.0,
            end_line: lines.1,
            kind: "function",
            symbol: signature.to_owned(),
            signature: signature.to_owned(),
            weight: 1.0,
            inside,
        }
    }

    fn sample() -> Outline {
        Outline {
            items: vec![
                item("b.rs", (12, 20), "fn second()", Some(3)),
                item("a.rs", (1, 3), "fn a()", None),
                item("b.rs", (5, 9), "fn first()", Some(3)),
                item("b.rs", (2, 40), "struct B", None),
            ],
            n_ranked: 3,
            n_more: 4,
            is_missed: false,
            introduction: None,
            raise: "",
        }
    }

    #[test]
    fn an_outline_shows_what_its_declarations_lie_in() {
        let (_, text) = outline(&sample(), &Budget::default());
        insta::assert_snapshot!(text, @r"
        b.rs
            2 struct B
            5   fn first()
           12   fn second()
        a.rs
            1 fn a()
        and 4 more declarations
        ");
    }

    #[test]
    fn an_introduction_comes_first_if_there_is_room() {
        let introduction = Introduction {
            about: "A tool for everyone.".to_owned(),
            entries: vec![
                EntryPoint { path: "main.c".to_owned(), line: 12, symbol: "main".to_owned() },
                EntryPoint { path: "x/__main__.py".to_owned(), line: 1, symbol: String::new() },
            ],
            more_entries: 11,
            folders: vec![
                Folder { path: "src/".to_owned(), n_files: 12, about: "Reads files.".to_owned() },
                Folder { path: "regress/".to_owned(), n_files: 1, about: String::new() },
            ],
            more_folders: 2,
        };
        let sample = Outline { introduction: Some(introduction), raise: "--tokens", ..sample() };
        let (_, text) = outline(&sample, &Budget::default());
        insta::assert_snapshot!(text, @r"
        A tool for everyone.

        entry points
          main.c:12  main
          x/__main__.py:1
          and 11 more

        directories
          src/       12 files  Reads files.
          regress/     1 file
          and 2 more

        b.rs
            2 struct B
            5   fn first()
           12   fn second()
        a.rs
            1 fn a()
        and 4 more declarations; raise --tokens
        ");
        let coloured = outline_in_colour(&outline(&sample, &Budget::default()).0);
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), text, "colours add nothing");
        for tokens in 0..300 {
            let budget = Budget { tokens: Some(tokens), characters: None };
            let (outlined, text) = outline(&sample, &budget);
            assert!(budget.holds(&text), "{tokens}: {text}");
            assert!(outlined.introduction.is_none() || tokens > 100, "{tokens}: {text}");
        }
    }

    #[test]
    fn an_outline_keeps_its_budget() {
        for tokens in 0..80 {
            let budget = Budget { tokens: Some(tokens), characters: None };
            let sample = sample();
            let (outlined, text) = outline(&sample, &budget);
            assert!(budget.holds(&text), "{tokens}: {text}");
            let n: usize = outlined.files.iter().map(|file| file.declarations.len()).sum();
            assert!(text.is_empty() || n + outlined.cut >= 7, "{tokens}: {text}");
        }
    }

    #[test]
    fn the_budget_is_of_what_is_printed() {
        let (sample, json) =
            (sample(), |outlined: &OutlineView<'_>| serde_json::to_string(outlined).unwrap());
        let mut most = 0;
        for tokens in 0..400 {
            let budget = Budget { tokens: Some(tokens), characters: None };
            let (outlined, text) = outline_as(&sample, &budget, &json);
            assert!(budget.holds(&text), "{tokens}: {text}");
            assert!(text.is_empty() || text == json(&outlined), "{tokens}: {text}");
            let n: usize = outlined.files.iter().map(|file| file.declarations.len()).sum();
            assert!(n >= most, "{tokens}: a larger budget holds no fewer");
            most = n;
        }
        assert_eq!(most, 4);
    }

    #[test]
    fn an_outline_has_a_line_for_four_tokens() {
        assert_eq!([0, 3, 4, 7, 8, 400].map(outline_limit), [1, 1, 1, 1, 2, 100]);
    }
}
