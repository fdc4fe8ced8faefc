//! Light English stemming: from a word to the form that it shares with its plural, its past tense
//! and its `-ing` form.
//!
//! Conservative on purpose. It joins `parse`, `parses`, `parsed`, `parsing` and `query`, `queries`,
//! and leaves derivations (`parser`, `allocation`) alone. Porter's full algorithm conflates
//! `general` with `generate` and `universe` with `university`, which costs precision on identifiers
//! and gains nothing on short ones. A stem is a key, not a word: `parse` becomes `pars`. Words that
//! contain anything but the letters a–z come back unchanged.

/// Returns the stem of a lower-case word.
///
/// Rules, each applied at most once and in this order:
/// 1. plural: `-sses`, `-xes`, `-ches`, `-shes`, `-zzes` lose `es`; `-ies` becomes `y`; any other
///    final `s` is dropped, except after `s`, `u` or `i` (`class`, `status`, `axis`) and in `-ias`
///    (`alias`);
/// 2. `-ied` becomes `y`; `-ing` and `-ed` are dropped from a stem of at least three letters with a
///    vowel in it. Then a doubled consonant other than `l`, `s`, `z` becomes single (`mapp` →
///    `map`), and a stem of three letters that ends in consonant, vowel, consonant gets its `e`
///    back (`nam` → `name`);
/// 3. a final `e` is dropped from words of five letters and more.
pub(crate) fn stem(word: &str) -> String {
    let mut out = word.to_owned();
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return out;
    }
    plural(&mut out);
    past_or_progressive(&mut out);
    if out.len() >= 5 && out.ends_with('e') {
        out.pop();
    }
    out
}

fn plural(word: &mut String) {
    if ["sses", "xes", "ches", "shes", "zzes"].iter().any(|end| word.ends_with(end)) {
        word.truncate(word.len() - 2);
    } else if word.ends_with("ies") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.ends_with('s') && !["ss", "us", "is", "ias"].iter().any(|end| word.ends_with(end)) {
        word.pop();
    }
}

fn past_or_progressive(word: &mut String) {
    if word.ends_with("ied") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
        return;
    }
    let cut = if word.ends_with("ing") {
        3
    } else if word.ends_with("ed") && !word.ends_with("eed") {
        2
    } else {
        return;
    };
    let base = word.get(..word.len() - cut).unwrap_or_default();
    if base.len() < 3 || !base.bytes().any(is_vowel) {
        return;
    }
    word.truncate(word.len() - cut);
    let tail = |n: usize| word.as_bytes().iter().rev().nth(n).copied().unwrap_or(b'a');
    let (last, before, third) = (tail(0), tail(1), tail(2));
    if last == before && !is_vowel(last) && !matches!(last, b'l' | b's' | b'z') {
        if word.len() > 3 {
            word.pop();
        }
    } else if word.len() == 3
        && !is_vowel(last)
        && is_vowel(before)
        && !is_vowel(third)
        && !matches!(last, b'w' | b'x' | b'y')
    {
        word.push('e');
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            &["parse", "parses", "parsed", "parsing"][..],
            &["query", "queries"],
            &["cache", "caches", "cached", "caching"],
            &["map", "maps", "mapped", "mapping"],
            &["name", "names", "named", "naming"],
            &["address", "addresses"],
            &["match", "matches", "matched", "matching"],
            &["database", "databases"],
            &["apply", "applied", "applies"],
            &["alias", "aliases"],
            &["add", "added", "adding", "adds"],
            &["call", "calls", "called", "calling"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
    }

    #[test]
    fn other_words_are_left_alone() {
        for word in
            ["string", "class", "status", "axis", "need", "bring", "use", "parser", "größe", "utf8", "as"]
        {
            assert_eq!(stem(word), word);
        }
    }
}
