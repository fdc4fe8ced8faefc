//! Builds the OpenAPI document from the types of [`super::api`] and [`super::browse`].
//!
//! The document is generated rather than written, so that it can't differ from what the server
//! accepts and returns.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::problem::Document;
use super::{api, browse};

/// Returns the OpenAPI document.
pub(super) fn document() -> Value {
    let settings = || {
        SchemaSettings::draft2020_12()
            .with(|settings| settings.definitions_path = "/components/schemas".into())
    };
    let mut taken = settings().into_generator();
    let mut given = settings().for_serialize().into_generator();
    let problem = response::<Document>(&mut given, "The problem", "application/problem+json");
    let post = |summary: &str, body: Value, answers: Vec<(&str, Value)>| {
        let mut responses: Map<String, Value> =
            answers.into_iter().map(|(status, answer)| (status.to_owned(), answer)).collect();
        responses.insert("default".to_owned(), problem.clone());
        json!({ "post": {
            "summary": summary,
            // The token may be in the body instead of the header.
            "security": [{ "bearer": [] }, {}],
            "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
            "responses": responses,
        } })
    };
    let query = post(
        "Source that answers a question, for a language model",
        reference::<api::QueryRequest>(&mut taken),
        vec![("200", response::<api::QueryAnswer>(&mut given, "The results", "application/json"))],
    );
    let refresh = post(
        "Index repositories",
        reference::<api::RefreshRequest>(&mut taken),
        vec![
            (
                "200",
                response::<api::RefreshAnswer>(
                    &mut given,
                    "All repositories are indexed",
                    "application/json",
                ),
            ),
            (
                "202",
                response::<api::RefreshAnswer>(
                    &mut given,
                    "Some repositories are being indexed",
                    "application/json",
                ),
            ),
        ],
    );
    macro_rules! browse {
        ($summary:literal, $request:ty, $answer:ty) => {
            post(
                $summary,
                reference::<$request>(&mut taken),
                vec![("200", response::<$answer>(&mut given, "The requested data", "application/json"))],
            )
        };
    }
    let search = browse!(
        "Places that answer a question, with source, state, and why they were found",
        browse::SearchRequest,
        browse::SearchAnswer
    );
    let ask = browse!(
        "Evidence from the sources for each part of a question, with citations; no language model is used",
        browse::AskRequest,
        browse::AskAnswer
    );
    let file = browse!("Lines of a file at a version, highlighted", browse::FileRequest, browse::FileAnswer);
    let relations =
        browse!("References to and from a declaration", browse::RelationsRequest, browse::RelationsAnswer);
    let revisions =
        browse!("Commits that can be searched", browse::RevisionsRequest, browse::RevisionsAnswer);
    let repositories =
        browse!("The repositories that are served", browse::RepositoriesRequest, browse::RepositoriesAnswer);
    let mut key = browse!("Exchange the page's key for the token", browse::KeyRequest, browse::KeyAnswer);
    key["post"]["security"] = json!([]);
    let plain = |summary: &str, media: &str, schema: Value, security: Value| {
        json!({ "get": {
            "summary": summary,
            "security": security,
            "responses": {
                "200": { "description": summary, "content": { media: { "schema": schema } } },
                "default": problem,
            },
        } })
    };
    let health = json!({
        "type": "object",
        "properties": { "status": { "type": "string", "enum": ["ok"] }, "version": { "type": "string" } },
        "required": ["status", "version"],
    });
    let paths = json!({
        "/coderag/query": query,
        "/coderag/refresh": refresh,
        "/coderag/search": search,
        "/coderag/ask": ask,
        "/coderag/file": file,
        "/coderag/relations": relations,
        "/coderag/revisions": revisions,
        "/coderag/repositories": repositories,
        "/coderag/key": key,
        "/": plain("The web page", "text/html", json!({ "type": "string" }), json!([])),
        "/file": plain("The web page, at a place in a repository", "text/html", json!({ "type": "string" }), json!([])),
        "/healthz": plain("Whether the server runs", "application/json", health, json!([])),
        "/metrics": plain(
            "Counters for Prometheus",
            "application/openmetrics-text",
            json!({ "type": "string" }),
            json!([{ "bearer": [] }]),
        ),
        "/openapi.json": plain("This document", "application/json", json!({ "type": "object" }), json!([])),
    });
    let mut schemas = taken.take_definitions(true);
    schemas.extend(given.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "git cora",
            "description": "Code retrieval from Git repositories on this machine",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn response<T: JsonSchema>(generator: &mut SchemaGenerator, description: &str, media: &str) -> Value {
    json!({ "description": description, "content": { media: { "schema": reference::<T>(generator) } } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let text = document.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer}");
        }
        let request = &document["components"]["schemas"]["QueryRequest"];
        for name in ["messages", "approxLength", "repos", "boost", "modelFamily", "token"] {
            assert!(request["properties"][name].is_object(), "{name}");
        }
        let repo = &document["components"]["schemas"]["Repo"]["properties"];
        for name in ["originUri", "checkoutHost", "checkoutPath", "versionSpecifier"] {
            assert!(repo[name].is_object(), "{name}");
        }
    }
}
