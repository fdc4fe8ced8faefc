//! The tool `refs`: a name → its declarations and, on request, their relations.
//!
//! Relations are callers, callees and implementers, resolved across files. If no declaration has
//! the name, the error suggests similar names.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use bstr::ByteSlice as _;
use git_cora::answer::view::{Results, counted, labels, visible};
use git_cora::answer::{
    self, DeclarationPosition, Place, Relation, RelationQuery, SymbolRelations, unresolved_files,
};
use git_cora::base::text::{named_path, visible_path};
use git_cora::search::graph::WrittenName;
use git_cora::search::query::Pathspec;
use git_cora::search::segment::Index;
use git_cora::{Searcher, SessionError};

use super::Call;
use super::reply::{self, CallError, Detail, Stop};
use super::repositories::{CallRepository, begun, notes};
use super::schema;
use crate::input::near;
use crate::server::pool::{AS_WRITTEN, definitions};

/// Largest number of declarations whose relations are listed: with more, the agent means none in
/// particular. They are those with the most references.
const RELATED: usize = 3;
/// Largest number of places in each list of relations, unless the reply may be longer than usual.
const RELATIONS: usize = 30;
/// About how many tokens a place takes.
const PLACE_TOKENS: usize = 40;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A name, alone or qualified: parse, Parser.parse, net::Client.
    name: String,
    /// Branch, tag or commit; default: the working tree.
    rev: Option<String>,
    /// Also list these relations; guesses are marked. Callers include uses as a type.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<RelationArgument>>")]
    relations: Vec<RelationArgument>,
    /// Only files that match these Git pathspecs.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Maximum number of declarations; default 8.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    k: Option<usize>,
    /// Maximum tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
    /// How much of each declaration to show, within max_tokens; default full.
    detail: Option<Detail>,
}

// A doc comment would be sent to agents.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RelationArgument {
    Callers,
    Callees,
    Implementers,
}

impl From<RelationArgument> for Relation {
    fn from(wanted: RelationArgument) -> Self {
        match wanted {
            RelationArgument::Callers => Self::Callers,
            RelationArgument::Callees => Self::Callees,
            RelationArgument::Implementers => Self::Implementers,
        }
    }
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "refs",
        "Show the declaration of a function, type, constant … by name. If several have that name, all are \
         shown. On request, list their callers, callees and implementers, resolved across files: better than \
         a grep for the name.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { name, rev, relations, path, k, max_tokens, detail } = reply::arguments(arguments)?;
    let (only, name) = call.symbol(&name);
    let bare = WrittenName::parse(&name).name;
    if bare.is_empty() {
        return Err(CallError::new("the name is empty").into());
    }
    let mut open = call.open(&path, rev.as_deref())?;
    // A path in the name may say in which repository the declaration is.
    if let Some(only) = only.filter(|only| open.iter().any(|one| one.at == *only)) {
        open.retain(|one| one.at == only);
    }
    let strays = call.strays(&open, &path)?;
    let k = reply::limit(k);
    let mut answers = Vec::new();
    for CallRepository { kept, state, specs, .. } in &open {
        let specs: Vec<Pathspec> = specs
            .iter()
            .map(|spec| Pathspec::parse(spec))
            .collect::<Result<_, _>>()
            .map_err(SessionError::from)?;
        answers.push(definitions(&kept.session, &state.searcher, &name, &specs, k, &state.revision)?);
    }
    // If one repository has the name as written, other cases of it in other repositories are noise.
    let is_written = |answer: &Results| answer.results.first().is_some_and(|item| item.score >= AS_WRITTEN);
    if answers.iter().any(is_written) {
        for answer in answers.iter_mut().filter(|answer| !is_written(answer)) {
            answer.results.clear();
            answer.n_more = 0;
        }
    }
    let results = call.merged(&open, answers, k)?;
    if results.results.is_empty() {
        let found = members(call, &open, &name, &relations, max_tokens)?;
        if let Some(found) = found {
            return Ok(notes(&open) + &strays + &found);
        }
        let indexes: Vec<Index<'_>> = open.iter().map(|one| one.state.searcher.index()).collect();
        let known: BTreeSet<&str> =
            indexes.iter().flat_map(|index| index.declarations()).map(|one| one.name()).collect();
        let question = near::question(&near::names(&bare, known.into_iter()));
        let hint = question.unwrap_or_else(|| "use 'query' to search for it as a word".to_owned());
        let error = CallError::with_hint(format!("no declaration named '{name}'"), hint);
        return Err(error.beside(notes(&open)).into());
    }
    let notes = notes(&open) + &strays;
    if relations.is_empty() {
        return Ok(reply::results(&notes, &results, detail.unwrap_or_default(), max_tokens));
    }
    let tokens = max_tokens.unwrap_or(reply::TOKENS);
    let wanted: BTreeSet<Relation> = relations.into_iter().map(Relation::from).collect();
    let all: Vec<_> = open.iter().map(|one| &*one.state.searcher).collect();
    let names: Vec<&str> = open.iter().map(|one| call.name(one.at)).collect();
    let mut listed = Vec::new();
    let n_left = (results.results.len() + results.n_more).saturating_sub(RELATED);
    if n_left > 0 {
        let others = counted(n_left, "more declaration has", "more declarations have");
        listed.push(format!(
            "note: the lists cover the {RELATED} declarations with the most references; {others} \
             this name; to choose one, write TYPE.NAME, PATH:NAME or PATH:LINE\n"
        ));
    }
    let mut calls = CallLines { searchers: &all, texts: HashMap::new() };
    let mut mentions = Vec::new();
    for item in results.results.iter().take(RELATED) {
        let Some(declaration) = item.declarations.first() else { continue };
        let at = DeclarationPosition {
            repository: item.repository,
            path: item.path.as_bstr(),
            line: declaration.name_line,
            name: &declaration.name,
        };
        let query = RelationQuery::new("")
            .with_relations(wanted.clone())
            .with_overriders(true)
            .with_limit(RELATIONS.max(tokens / PLACE_TOKENS));
        for symbol in answer::relations_at(&all, at, &query)? {
            lines_of(&names, &mut calls, &symbol, &mut listed, &mut mentions);
        }
    }
    listed.extend(mentions.concat());
    // The declarations keep half of the reply, and more if even their shortest form needs it.
    let half = reply::budget(Some(tokens / 2), &notes);
    let lists = |n: usize| listed.get(..n).unwrap_or_default().concat();
    let draw = |n: usize| {
        let mut above = format!("{notes}{}", lists(n));
        if n < listed.len() {
            let n_cut = counted(listed.len() - n, "line", "lines");
            let _ = writeln!(above, "to fit max_tokens: {n_cut} of the lists above left out");
        }
        reply::results(&above, &results, detail.unwrap_or_default(), max_tokens)
    };
    let n = half.most(0, listed.len(), lists);
    Ok(draw(reply::budget(max_tokens, "").most(0, n, draw)))
}

/// Returns the members that the index leaves out and that a name means, with the places that refer
/// to them. `None` if there are none.
fn members(
    call: &Call<'_>,
    open: &[CallRepository],
    name: &str,
    relations: &[RelationArgument],
    max_tokens: Option<usize>,
) -> Result<Option<String>, Stop> {
    let all: Vec<_> = open.iter().map(|one| &*one.state.searcher).collect();
    let names: Vec<&str> = open.iter().map(|one| call.name(one.at)).collect();
    let wanted: BTreeSet<Relation> = relations.iter().map(|one| Relation::from(*one)).collect();
    let limit = RELATIONS.max(max_tokens.unwrap_or(reply::TOKENS) / PLACE_TOKENS);
    let query = RelationQuery::new(name).with_relations(wanted).with_limit(limit);
    let found = answer::relations(&all, &query)?;
    let mut calls = CallLines { searchers: &all, texts: HashMap::new() };
    let (mut lines, mut mentions) = (Vec::new(), Vec::new());
    for symbol in &found.symbols {
        let place = &symbol.place;
        let repository = names.get(place.repository).copied().unwrap_or_default();
        let path = begun(repository, &place.path);
        let declared = calls.at(place, place.line).map(|line| format!("  | {line}")).unwrap_or_default();
        let head =
            format!("{}:{}  {}  {}", visible_path(&path), place.line, visible(&place.symbol), place.kind);
        lines.push(format!("{head}{declared}\n"));
        lines_of(&names, &mut calls, symbol, &mut lines, &mut mentions);
    }
    lines.extend(mentions.concat());
    let draw = |n: usize| {
        let mut out = lines.get(..n).unwrap_or_default().concat();
        if n < lines.len() {
            let n_cut = counted(lines.len() - n, "line", "lines");
            let _ = writeln!(out, "to fit max_tokens: {n_cut} left out");
        }
        out
    };
    let shown = draw(reply::budget(max_tokens, "").most(0, lines.len(), draw));
    Ok((!lines.is_empty()).then_some(shown))
}

/// Longest line of a call that is shown in full, in characters.
const CALL_CHARACTERS: usize = 100;

/// The texts of the files that callers are in, each read once.
struct CallLines<'s> {
    searchers: &'s [&'s Searcher],
    texts: HashMap<(usize, String), Option<Arc<str>>>,
}

impl CallLines<'_> {
    /// Returns the line of source at a place that refers to another; `None` if it can't be read.
    fn at(&mut self, place: &Place, line: u32) -> Option<String> {
        self.line(place.repository, &place.path, line)
    }

    /// Returns a line of a file; `None` if it is blank or can't be read.
    fn line(&mut self, repository: usize, path: &str, line: u32) -> Option<String> {
        let searcher = *self.searchers.get(repository)?;
        let read = || searcher.text(named_path(path).as_bstr());
        let text = self.texts.entry((repository, path.to_owned())).or_insert_with(read);
        let call = text.as_deref()?.lines().nth(line.checked_sub(1)? as usize)?.trim();
        let shown: String = call.chars().take(CALL_CHARACTERS).collect();
        let dots = if shown.len() < call.len() { "…" } else { "" };
        (!call.is_empty()).then(|| format!("{}{dots}", visible(&shown)))
    }
}

/// Appends the relations of a declaration, one line each, callers with the line of the call.
/// `mentions` gets the lines that mention its name, unless another declaration has the same ones.
fn lines_of(
    names: &[&str],
    calls: &mut CallLines<'_>,
    symbol: &SymbolRelations,
    out: &mut Vec<String>,
    mentions: &mut Vec<Vec<String>>,
) {
    let place = &symbol.place;
    let name = names.get(place.repository).copied().unwrap_or_default();
    let path = |place: &Place| {
        let name = names.get(place.repository).copied().unwrap_or_default();
        visible_path(&begun(name, &place.path)).into_owned()
    };
    for (what, listed) in
        [("callers", &symbol.callers), ("callees", &symbol.callees), ("implementers", &symbol.implementers)]
    {
        let Some(listed) = listed else { continue };
        let whose = format!("{} ({}:{})", visible(&place.symbol), path(place), place.line);
        let n = listed.items.len() + listed.more;
        out.push(match n {
            0 => format!("no {what} of {whose}\n"),
            1 => format!("1 {} of {whose}:\n", what.trim_end_matches('s')),
            n => format!("{n} {what} of {whose}:\n"),
        });
        for one in &listed.items {
            let sure = match one.certain {
                true => String::new(),
                false => format!("  [guess, {:.0}%: {}]", one.confidence * 100.0, one.how.words()),
            };
            let name = match one.place.symbol.as_str() {
                "" => labels::outside(&one.place.kind).to_owned(),
                symbol => format!("{symbol}  {}", one.place.kind),
            };
            // A callee is declared elsewhere than it is called; show both lines.
            let (line, name, at) = match what {
                "callees" => (one.place.line, name, format!("  {}", one.reference())),
                "callers" => (one.at, format!("in {name}"), String::new()),
                _ => (one.place.line, name, String::new()),
            };
            let call = (what == "callers").then(|| calls.at(&one.place, one.at)).flatten();
            let call = call.map(|call| format!("  | {call}")).unwrap_or_default();
            out.push(format!("  {}:{line}  {}{at}{sure}{call}\n", path(&one.place), visible(name.trim())));
        }
        if listed.more > 0 && !listed.items.is_empty() {
            out.push(format!("  and {} more\n", listed.more));
        }
        let mentioned = symbol.mentioned.as_ref().filter(|one| what == "callers" && !one.files.is_empty());
        if let Some(mentioned) = mentioned {
            let mut lines = vec![format!("{}:\n", unresolved_files(mentioned.n_files()))];
            for one in &mentioned.lines {
                let call = calls.line(place.repository, &one.path, one.line);
                let call = call.map(|call| format!("  | {call}")).unwrap_or_default();
                let around = format!("{}  {}", visible(&one.symbol), one.kind);
                let path = visible_path(&begun(name, &one.path)).into_owned();
                let head = format!("  {path}:{}  {around}", one.line);
                lines.push(format!("{}{call}\n", head.trim_end()));
            }
            if mentioned.more_lines > 0 {
                lines.push(format!("  and {} more\n", mentioned.more_lines));
            }
            if !mentions.contains(&lines) {
                mentions.push(lines);
            }
        }
    }
}
