//! Sets of questions about functions: `train sets` writes them, `eval` asks them.
//!
//! One file is one set, as JSON. The two programs share this type so that neither can change the
//! form alone.

use serde::{Deserialize, Serialize};

/// Questions and the functions that they ask for.
#[derive(Debug, Serialize, Deserialize)]
pub struct Set {
    /// The most frequent extension of the functions' files, without the dot.
    #[serde(default = "python")]
    pub extension: String,
    /// Code of the functions.
    pub docs: Vec<String>,
    /// Questions for measuring, each with the index of its answer.
    pub test: Vec<(String, usize)>,
    /// Questions for tuning, each with the index of its answer.
    pub dev: Vec<(String, usize)>,
}

/// Returns the extension for sets that have none: CoSQA's functions are Python.
fn python() -> String {
    "py".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_survives_and_may_have_no_extension() {
        let set: Set = serde_json::from_str(r#"{"docs": ["a"], "test": [["q", 0]], "dev": []}"#).unwrap();
        assert_eq!(set.extension, "py");
        let again: Set = serde_json::from_slice(&serde_json::to_vec(&set).unwrap()).unwrap();
        assert_eq!((again.docs, again.test), (vec!["a".to_owned()], vec![("q".to_owned(), 0)]));
    }
}
