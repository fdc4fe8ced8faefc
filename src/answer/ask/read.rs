//! Parsing: the JSON in a model's reply → checked values.
//!
//! Models put JSON into fences and write text around it, so the first matching object anywhere in
//! the reply counts. All strings are cleaned, cut and deduplicated, and lists are bounded, because
//! the reply is untrusted.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Maximum number of questions in one reply.
pub(super) const MOST_QUESTIONS: usize = 6;

/// Maximum characters of a question, aspect, gap or contradiction.
const MOST_CHARACTERS: usize = 400;

/// A model's plan: the parts of a question.
#[derive(Debug, Deserialize)]
pub(super) struct Plan {
    pub(super) questions: Vec<String>,
}

/// A model's judgement of the evidence.
#[derive(Debug, Deserialize)]
pub(super) struct Verdict {
    #[serde(default)]
    pub(super) aspects: Vec<AspectEvidence>,
    #[serde(default)]
    pub(super) gaps: Vec<String>,
    #[serde(default)]
    pub(super) contradictions: Vec<String>,
    pub(super) sufficient: bool,
    #[serde(default)]
    pub(super) questions: Vec<String>,
}

/// An aspect, with the numbers of its evidence.
#[derive(Debug, Deserialize)]
pub(super) struct AspectEvidence {
    pub(super) aspect: String,
    #[serde(default)]
    pub(super) evidence: Vec<usize>,
}

impl Plan {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut plan: Self = object(text)?;
        clean(&mut plan.questions, MOST_QUESTIONS);
        if plan.questions.is_empty() { Err("'questions' is empty".to_owned()) } else { Ok(plan) }
    }
}

impl Verdict {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut verdict: Self = object(text)?;
        clean(&mut verdict.questions, MOST_QUESTIONS);
        clean(&mut verdict.gaps, 2 * MOST_QUESTIONS);
        clean(&mut verdict.contradictions, 2 * MOST_QUESTIONS);
        verdict.aspects.truncate(2 * MOST_QUESTIONS);
        for found in &mut verdict.aspects {
            found.aspect = line(&found.aspect);
        }
        verdict.aspects.retain(|found| !found.aspect.is_empty());
        Ok(verdict)
    }
}

/// Returns the first JSON object in a text that is a `T`.
fn object<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut why = "it has no JSON object".to_owned();
    // Each candidate costs a parse, and in a valid reply the object is among the first.
    for (at, _) in text.match_indices('{').take(8) {
        let rest = text.get(at..).unwrap_or_default();
        match serde_json::Deserializer::from_str(rest).into_iter::<T>().next() {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) if at == text.find('{').unwrap_or_default() => why = error.to_string(),
            _ => {}
        }
    }
    Err(why)
}

/// Returns the text on one line, cut, without characters that act on a terminal.
fn line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(MOST_CHARACTERS).collect();
    crate::answer::view::visible(&short).into_owned()
}

fn clean(list: &mut Vec<String>, most: usize) {
    let mut lines: Vec<String> = Vec::new();
    // Some models repeat the `…` of the form they were shown.
    let says = |text: &String| text.chars().any(char::is_alphabetic);
    for text in list.iter().map(|text| line(text)).filter(says) {
        if lines.len() < most && !lines.contains(&text) {
            lines.push(text);
        }
    }
    *list = lines;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn objects_are_found_in_talk() {
        for text in [
            r#"{"questions": ["a b", " a  b", "c"]}"#,
            "Sure! Here {it} is:\n```json\n{\"questions\": [\"a b\", \"c\"], \"more\": 1}\n```\nHope {that} helps",
        ] {
            assert_eq!(Plan::read(text).unwrap().questions, ["a b", "c"], "{text}");
        }
        for text in [
            "",
            "no",
            "{}",
            "{\"questions\": []}",
            "{\"questions\": [\" \"]}",
            "{\"questions\": [\"…\"]}",
            "{\"questions\": \"a\"}",
            "{\"questions\": [\"a\"",
        ] {
            assert!(Plan::read(text).is_err(), "{text}");
        }
        let long = format!("{{\"questions\": [\"{}\"]}}", "x\\u001b ".repeat(500));
        let question = &Plan::read(&long).unwrap().questions[0];
        assert!(question.chars().count() <= MOST_CHARACTERS && !question.contains('\u{1b}'));
    }

    #[test]
    fn verdicts_need_a_verdict() {
        let verdict = Verdict::read(
            r#"{"aspects": [{"aspect": "x", "evidence": [1, 9]}, {"aspect": ""}], "gaps": ["y"], "sufficient": true}"#,
        );
        let verdict = verdict.unwrap();
        assert!(verdict.sufficient && verdict.aspects.len() == 1 && verdict.gaps == ["y"]);
        assert!(Verdict::read(r#"{"gaps": []}"#).is_err());
        assert!(Verdict::read(r#"{"sufficient": "yes"}"#).is_err());
        assert!(Verdict::read(r#"{"sufficient": true, "aspects": [{"evidence": [-1]}]}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_text_ends(text in "\\PC{0,200}", braces in "[{}\\[\\]\",:a1]{0,80}") {
            let _ = Plan::read(&text);
            let _ = Verdict::read(&braces);
        }
    }

    #[test]
    fn lists_and_lines_are_bounded() {
        let many = |n: usize, len: usize| -> Vec<String> {
            (0..n).map(|at| format!("{at:02}{}", "x".repeat(len - 2))).collect()
        };
        let plan = |questions: &[String]| {
            Plan::read(&serde_json::json!({ "questions": questions }).to_string()).unwrap().questions
        };
        assert_eq!([6, 7].map(|n| plan(&many(n, 10)).len()), [6, 6]);
        assert_eq!([399, 400, 401].map(|len| plan(&many(1, len))[0].len()), [399, 400, 400]);
        let aspect = |aspect: &String| serde_json::json!({ "aspect": aspect });
        let verdict = serde_json::json!({
            "sufficient": false,
            "gaps": many(13, 10),
            "contradictions": many(13, 10),
            "aspects": many(13, 10).iter().map(aspect).collect::<Vec<_>>(),
        });
        let verdict = Verdict::read(&verdict.to_string()).unwrap();
        assert_eq!((verdict.gaps.len(), verdict.contradictions.len(), verdict.aspects.len()), (12, 12, 12));
    }
}
