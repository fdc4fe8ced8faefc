//! Requests of HTTP clients: any body of any route is a request or an error, and an object. Any
//! host, version and path as digits is read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// What a request names of the program's other modules.
#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/input"]
mod input {
    pub mod conversation;
}

/// The modules of the server under their own names, because they name each other.
#[allow(dead_code, unused_imports)]
#[path = "../../../src/bin/git-cora/server"]
mod server {
    pub mod http {
        mod api;
        mod values;

        mod browse {
            pub(super) mod api;
        }

        use browse::api as page;
        use git_cora::answer::view::hex;
        use serde_json::Value;

        pub fn check(body: &[u8]) {
            let is_object = serde_json::from_slice::<Value>(body).is_ok_and(|value| value.is_object());
            let read = [
                values::request::<api::QueryRequest>(body).is_ok(),
                values::request::<api::RefreshRequest>(body).is_ok(),
                values::request::<page::KeyRequest>(body).is_ok(),
                values::request::<page::RepositoriesRequest>(body).is_ok(),
                values::request::<page::SearchRequest>(body).is_ok(),
                values::request::<page::AskRequest>(body).is_ok(),
                values::request::<page::FileRequest>(body).is_ok(),
                values::request::<page::RelationsRequest>(body).is_ok(),
                values::request::<page::RevisionsRequest>(body).is_ok(),
            ];
            assert!(is_object || !read.contains(&true), "a request is not an object");
            let Ok(text) = std::str::from_utf8(body) else { return };
            assert!(text.starts_with(values::without_port(text)));
            if values::is_plain_version(text) {
                assert!(!text.starts_with('-') && !text.contains("..") && !text.contains(['{', ':', '@']));
            }
            if let Some(bytes) = values::unhex(text) {
                assert_eq!(hex(&bytes), text.to_ascii_lowercase(), "digits are bytes");
            }
        }
    }
}

fuzz_target!(|body: &[u8]| server::http::check(body));
