//! Files of translated texts, and which of them are translations of the same texts.
//!
//! Path, and the language that the file is written in → the family of a translation: its path
//! without the language. The files of a family say the same, so that one of them is enough.
//! Languages are recognised by their place in the path, as frameworks put them there; a folder `io`
//! alone is not Ido.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use super::is_prose;

/// Languages of ISO 639 that software is translated into.
const LANGUAGES: &[&str] = &[
    "af", "am", "an", "ar", "as", "ast", "az", "be", "bg", "bn", "br", "bs", "ca", "ceb", "ckb", "cs", "cy",
    "da", "de", "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fil", "fo", "fr", "fy", "ga", "gd", "gl",
    "gu", "ha", "he", "hi", "hr", "hu", "hy", "ia", "id", "ig", "is", "it", "iw", "ja", "jv", "ka", "kab",
    "kk", "km", "kn", "ko", "ku", "ky", "lb", "lo", "lt", "lv", "mai", "mg", "mi", "mk", "ml", "mn", "mr",
    "ms", "mt", "my", "nb", "ne", "nl", "nn", "no", "oc", "or", "pa", "pl", "ps", "pt", "ro", "ru", "sc",
    "sd", "si", "sk", "sl", "sq", "sr", "su", "sv", "sw", "ta", "te", "tg", "th", "tk", "tl", "tr", "tt",
    "ug", "uk", "ur", "uz", "vi", "xh", "yi", "yo", "zh", "zu",
];

/// Codes of languages that mean nothing else.
const SURE: [&str; 7] = ["en", "fr", "ja", "ko", "ru", "vi", "zh"];

/// Names of the languages that software is most often translated into, as files of translations
/// have them: `english.go`, `brazilian_portuguese.json`.
const NAMES: &[&str] = &[
    "arabic",
    "bulgarian",
    "catalan",
    "chinese",
    "croatian",
    "czech",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hebrew",
    "hindi",
    "hungarian",
    "indonesian",
    "italian",
    "japanese",
    "korean",
    "norwegian",
    "persian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "slovak",
    "spanish",
    "swedish",
    "thai",
    "turkish",
    "ukrainian",
    "vietnamese",
];

/// Words beside the name of a language.
const VARIANTS: [&str; 4] = ["brazilian", "simplified", "traditional", "translations"];

/// Folders whose files or folders are named after languages.
const FOLDERS: [&str; 14] = [
    "i18n",
    "intl",
    "l10n",
    "lang",
    "langs",
    "language",
    "languages",
    "lc_messages",
    "locale",
    "locales",
    "localization",
    "nls",
    "po",
    "translations",
];

/// Folders of documents in which translations of the README are put.
const DOCUMENT_FOLDERS: [&str; 8] =
    [".github", "assets", "doc", "docs", "documentation", "documents", "readme", "readmes"];

/// Endings of files that hold translated texts wherever they are, if a language names them.
const ENDINGS: [&str; 11] =
    ["arb", "ftl", "mo", "po", "properties", "resx", "strings", "stringsdict", "xlf", "xliff", "xtb"];

/// A family of documents, as one of them names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentFamily {
    /// The path without the language.
    pub(super) path: Vec<u8>,
    /// The code of the language in the path, in lower case.
    pub(super) language: Option<Vec<u8>>,
}

/// Returns the family of a file of translated texts: its path with `*` in the place of the
/// language. `None` for any other file. `text` is the language of the file, as the index names it.
///
/// Every candidate asks, so a path that has nothing of a translation costs no allocation.
pub(super) fn family(path: &BStr, text: &str) -> Option<Vec<u8>> {
    if !may_be_translation(path, text) {
        return None;
    }
    let mut parts: Vec<&[u8]> = path.split_str("/").collect();
    let name = parts.pop()?;
    let (stem, ending) = name.rsplit_once_str(".").unwrap_or((name, b""));
    let is_known_ending = is_ending(ending, text);
    let of = |parts: &[&[u8]], name: &[u8]| {
        let mut family = parts.join(&b"/"[..]);
        family.push(b'/');
        family.extend_from_slice(name);
        family
    };
    for (at, part) in parts.iter().enumerate() {
        // Android: `res/values-pt-rBR/strings.xml`, beside `res/values/strings.xml`.
        let code = part.strip_prefix(b"values-").filter(|_| ending == b"xml");
        // Apple: `de.lproj/Main.strings`.
        let code = code.or_else(|| part.strip_suffix(b".lproj"));
        let is_base =
            *part == b"values" && ending == b"xml" && stem.starts_with(b"strings") || *part == b"Base.lproj";
        if is_base || code.is_some_and(is_language) {
            let mut parts = parts.clone();
            parts[at] = b"*";
            return Some(of(&parts, name));
        }
    }
    if let Some(at) = parts.iter().position(|part| is_one_of(&FOLDERS, part)) {
        // `locales/de/errors.json`, `po/de.po`, `locales/de-DE.json`.
        if let Some(below) = parts.iter().skip(at + 1).position(|part| is_named_after_language(part)) {
            let mut parts = parts.clone();
            parts[at + 1 + below] = b"*";
            return Some(of(&parts, name));
        }
        if let Some(before) = parts.iter().take(at).rposition(|part| is_language(part)) {
            let mut parts = parts.clone();
            parts[before] = b"*";
            return Some(of(&parts, name));
        }
        // Catalogues of gettext are called after languages alone.
        let is_catalogue = ending == b"po" && stem.len() <= 3 && stem.iter().all(u8::is_ascii_lowercase);
        if is_named_after_language(stem) || is_catalogue {
            return Some(of(&parts, &[b"*.", ending].concat()));
        }
        return of_suffix(&parts, stem, ending);
    }
    if is_known_ending {
        if is_language(stem) {
            return Some(of(&parts, &[b"*.", ending].concat()));
        }
        return of_suffix(&parts, stem, ending);
    }
    None
}

/// Returns the family of a document: its path without the language, which a folder or the end of
/// its stem names (`docs/de/guide.md`, `README.zh-CN.md`). Every document has one; `None` for other
/// files.
pub(super) fn document_family(path: &BStr, text: &str) -> Option<DocumentFamily> {
    if !is_prose(text) && text != "html" {
        return None;
    }
    let mut parts: Vec<&[u8]> = path.split_str("/").collect();
    let name = parts.pop()?;
    let (stem, ending) = name.rsplit_once_str(".").unwrap_or((name, b""));
    let (stem, mut language) = stem_of_language(stem).map_or((stem, None), |(stem, code)| (stem, Some(code)));
    if let Some(at) = parts.iter().position(|part| is_language(part)) {
        language = Some(parts.remove(at));
    }
    // `doc/README-ru.md` translates `README.md`.
    let is_beside = |part: &&[u8]| is_one_of(&DOCUMENT_FOLDERS, part) || is_one_of(&FOLDERS, part);
    if language.is_some() && stem.eq_ignore_ascii_case(b"readme") && parts.iter().all(is_beside) {
        parts.clear();
    }
    parts.push(stem);
    let path = [parts.join(&b"/"[..]), ending.to_vec()].join(&b'.');
    Some(DocumentFamily { path, language: language.map(<[u8]>::to_ascii_lowercase) })
}

/// Returns whether documents of a family are translations, by the languages in their paths. A
/// single code may mean something else: `timeout_ms.md` and `api/it/README.md` are not.
pub(super) fn are_translations(languages: &BTreeSet<Vec<u8>>) -> bool {
    let is_sure =
        |code: &Vec<u8>| is_one_of(&SURE, code) || code.iter().any(|byte| matches!(byte, b'-' | b'_'));
    languages.len() > 1 || languages.iter().any(is_sure)
}

/// Returns whether a path names English, or no language.
pub(super) fn is_original(path: &BStr) -> bool {
    let (folders, name) = path.split_at(path.rfind_byte(b'/').unwrap_or(0));
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let stem = name.rsplit_once_str(".").map_or(name, |(stem, _)| stem);
    let is_english = |part: &[u8]| {
        let first = part.split(|byte| matches!(byte, b'-' | b'_' | b'@')).next().unwrap_or_default();
        first.eq_ignore_ascii_case(b"en") || first.eq_ignore_ascii_case(b"english")
    };
    let folders = folders.split(|&byte| byte == b'/').map(|part| {
        let code = part.strip_prefix(b"values-").or_else(|| part.strip_suffix(b".lproj"));
        code.unwrap_or(part)
    });
    let of_stem = stem_of_language(stem).map_or(stem, |(_, code)| code);
    folders.chain([of_stem]).all(|part| !is_named_after_language(part) || is_english(part))
}

/// Splits a stem that ends with the code of a language: `README.zh-CN`, `guide_de`. A hyphen joins
/// words as well, so a code behind it has a region.
fn stem_of_language(stem: &[u8]) -> Option<(&[u8], &[u8])> {
    let signs = |&at: &usize| matches!(stem.get(at), Some(b'.' | b'_' | b'-'));
    (1..stem.len()).filter(signs).find_map(|at| {
        let (before, code) = (stem.get(..at)?, stem.get(at + 1..)?);
        let is_sure =
            stem.get(at) != Some(&b'-') || code.contains(&b'-') || before.eq_ignore_ascii_case(b"readme");
        (is_sure && is_language(code)).then_some((before, code))
    })
}

/// Returns whether a folder or the ending of a path is one that translations have.
fn may_be_translation(path: &[u8], text: &str) -> bool {
    let (folders, name) = path.split_at(path.rfind_byte(b'/').unwrap_or(0));
    let ending = name.rfind_byte(b'.').and_then(|at| name.get(at + 1..)).unwrap_or_default();
    is_ending(ending, text)
        || folders
            .split(|&byte| byte == b'/')
            .any(|part| part.starts_with(b"values") || part.ends_with(b".lproj") || is_one_of(&FOLDERS, part))
}

/// Returns whether an ending is one of translated texts. Those of Qt are XML; other files with
/// their ending are TypeScript.
fn is_ending(ending: &[u8], text: &str) -> bool {
    is_one_of(&ENDINGS, ending) || text == "xml" && ending.eq_ignore_ascii_case(b"ts")
}

/// Returns whether a word is one of these, in any case.
fn is_one_of(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns the family of `messages_de.properties` or `Strings.de.resx`.
fn of_suffix(parts: &[&[u8]], stem: &[u8], ending: &[u8]) -> Option<Vec<u8>> {
    for at in stem.find_iter("_").chain(stem.find_iter(".")).chain(stem.find_iter("-")) {
        let (before, code) = (stem.get(..at)?, stem.get(at + 1..)?);
        if is_language(code) && !before.is_empty() {
            let folder = parts.join(&b"/"[..]);
            return Some([&folder, &b"/"[..], before, b".*.", ending].concat());
        }
    }
    None
}

/// Returns whether a word is the code of a language, perhaps with a script and a region: `de`,
/// `pt-BR`, `zh_Hans`, `pt-rBR`.
fn is_language(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| matches!(byte, b'-' | b'_' | b'@'));
    let Some(first) = parts.next() else { return false };
    let is_code =
        LANGUAGES.binary_search_by(|known| known.as_bytes().cmp(&first.to_ascii_lowercase())).is_ok();
    let is_region = |part: &[u8]| {
        let part = part.strip_prefix(b"r").filter(|rest| rest.len() == 2).unwrap_or(part);
        (2..=10).contains(&part.len()) && part.iter().all(u8::is_ascii_alphanumeric)
    };
    is_code && parts.all(is_region)
}

/// Returns whether a folder or a stem is the code or the name of a language.
fn is_named_after_language(word: &[u8]) -> bool {
    is_language(word) || is_language_name(word)
}

/// Returns whether a word is the name of a language, perhaps with a variant: `english`,
/// `simplified_chinese`. `english_stemmer` is not one: it works on English.
fn is_language_name(word: &[u8]) -> bool {
    let has = |part: &[u8]| is_one_of(NAMES, part);
    let parts = || word.split(|byte| matches!(byte, b'-' | b'_'));
    parts().any(has) && parts().all(|part| has(part) || is_one_of(&VARIANTS, part))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn documents_in_several_languages_are_a_family() {
        for (path, language, expected, is_first) in [
            ("docs/en/guide/start.md", "markdown", Some("docs/guide/start.md"), true),
            ("docs/zh/guide/start.md", "markdown", Some("docs/guide/start.md"), false),
            ("docs/guide/start.md", "markdown", Some("docs/guide/start.md"), true),
            ("README.zh-CN.md", "markdown", Some("README.md"), false),
            ("README_ja.md", "markdown", Some("README.md"), false),
            ("doc/README-ru.md", "markdown", Some("README.md"), false),
            ("docs/i18n/README.zh-CN.md", "markdown", Some("README.md"), false),
            ("packages/core/README.ja.md", "markdown", Some("packages/core/README.md"), false),
            ("docs/README.md", "markdown", Some("docs/README.md"), true),
            ("docs/what-is.md", "markdown", Some("docs/what-is.md"), true),
            ("src/it/run.rs", "rust", None, false),
        ] {
            let found =
                document_family(path.into(), language).map(|one| String::from_utf8(one.path).unwrap());
            assert_eq!(found.as_deref(), expected, "{path}");
            assert_eq!(is_original(path.into()), is_first, "{path}");
        }
        for (path, expected) in [
            ("po/de.po", false),
            ("locales/en-US.json", true),
            ("ios/Base.lproj/Main.strings", true),
            ("res/values-de/strings.xml", false),
            ("res/values/strings.xml", true),
            ("src/messages_de.properties", false),
            ("pkg/i18n/english.go", true),
        ] {
            assert_eq!(is_original(path.into()), expected, "{path}");
        }
    }

    #[test]
    fn one_code_of_a_language_may_be_a_word() {
        for (paths, expected) in [
            (&["docs/de/a.md", "docs/es/a.md"][..], true),
            (&["docs/a.md", "docs/zh/a.md"], true),
            (&["README.md", "README_pt-BR.md"], true),
            (&["opts/TIMEOUT.md", "opts/TIMEOUT_MS.md"], false),
            (&["tests/README.md", "tests/it/README.md"], false),
        ] {
            let families = paths.iter().filter_map(|&path| document_family(path.into(), "markdown"));
            let languages: BTreeSet<Vec<u8>> = families.filter_map(|one| one.language).collect();
            assert_eq!(are_translations(&languages), expected, "{paths:?}");
        }
    }

    #[test]
    fn translations_of_the_same_texts_are_a_family() {
        assert!(LANGUAGES.is_sorted());
        for (paths, expected) in [
            (
                ["packages/app/locales/de-DE.json", "packages/app/locales/zh-CN.json"],
                "packages/app/locales/*.json",
            ),
            (["locales/en/errors.yml", "locales/pt_BR/errors.yml"], "locales/*/errors.yml"),
            (["res/values-de/strings.xml", "res/values/strings.xml"], "res/*/strings.xml"),
            (["res/values-pt-rBR/strings.xml", "res/values-zh-rTW/strings.xml"], "res/*/strings.xml"),
            (["po/de.po", "po/sr@latin.po"], "po/*.po"),
            (["po/jbo.po", "po/gv.po"], "po/*.po"),
            (["app/de/LC_MESSAGES/django.po", "app/fr/LC_MESSAGES/django.po"], "app/*/LC_MESSAGES/django.po"),
            (["src/messages_de.properties", "src/messages_pt_BR.properties"], "src/messages.*.properties"),
            (["ui/Strings.de.resx", "ui/Strings.fr.resx"], "ui/Strings.*.resx"),
            (["ios/de.lproj/Main.strings", "ios/Base.lproj/Main.strings"], "ios/*/Main.strings"),
            (["lib/l10n/app_de.arb", "lib/l10n/app_en.arb"], "lib/l10n/app.*.arb"),
            (["src/mumble/mumble_de.ts", "src/mumble/mumble_zh_TW.ts"], "src/mumble/mumble.*.ts"),
            (["qt/de.ts", "qt/pt_BR.ts"], "qt/*.ts"),
            (["pkg/i18n/english.go", "pkg/i18n/Simplified_Chinese.go"], "pkg/i18n/*.go"),
            (["i18n/english/main.yml", "i18n/german/main.yml"], "i18n/*/main.yml"),
        ] {
            for path in paths {
                let text = if path.ends_with(".ts") { "xml" } else { "text" };
                let found = family(path.into(), text).map(|one| String::from_utf8(one).unwrap());
                assert_eq!(found.as_deref(), Some(expected), "{path}");
            }
        }
        for path in [
            "src/io/file.rs",
            "src/lang/rust.rs",
            "lang/parser.go",
            "po/Makefile",
            "src/is/it.py",
            "res/values/colors.xml",
            "res/values-night/colors.xml",
            "res/values-land/dimens.xml",
            "config/app.properties",
            "locales/index.ts",
            "lang/english_stemmer.c",
            "src/english.go",
            "README.md",
            "src/check_is.ts",
        ] {
            assert_eq!(family(path.into(), "text"), None, "{path}");
        }
    }
}
