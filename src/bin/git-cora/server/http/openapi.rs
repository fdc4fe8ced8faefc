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
    let mut routes = Routes::new();
    let mut paths = Map::new();
    for (path, route) in
        program_routes(&mut routes).into_iter().chain(page_routes(&mut routes)).chain(plain_routes(&routes))
    {
        paths.insert(path.to_owned(), route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "git cora",
            "description": "Search in the Git repositories on this machine",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": routes.schemas(),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
    })
}

/// Returns the routes for programs.
fn program_routes(routes: &mut Routes) -> [(&'static str, Value); 2] {
    let query = routes.post::<api::QueryRequest, api::QueryAnswer>(
        "Source that answers a question, for a language model",
        &[("200", "The results")],
    );
    let refresh = routes.post::<api::RefreshRequest, api::RefreshAnswer>(
        "Index repositories",
        &[("200", "All repositories are indexed"), ("202", "Some repositories are being indexed")],
    );
    [("/coderag/query", query), ("/coderag/refresh", refresh)]
}

/// Returns the routes that the page calls.
fn page_routes(routes: &mut Routes) -> [(&'static str, Value); 9] {
    const DATA: &[(&str, &str)] = &[("200", "The requested data")];
    let search = routes.post::<browse::SearchRequest, browse::SearchAnswer>(
        "Places that answer a question, with source, state, and why they were found",
        DATA,
    );
    let ask = routes.post::<browse::AskRequest, browse::AskAnswer>(
        "Evidence from the sources for each part of a question, with citations; no language model is used",
        DATA,
    );
    let file = routes
        .post::<browse::FileRequest, browse::FileAnswer>("Lines of a file at a revision, highlighted", DATA);
    let relations = routes.post::<browse::RelationsRequest, browse::RelationsAnswer>(
        "References to and from a declaration",
        DATA,
    );
    let revisions = routes
        .post::<browse::RevisionsRequest, browse::RevisionsAnswer>("Commits that can be searched", DATA);
    let history = routes.post::<browse::HistoryRequest, browse::HistoryAnswer>(
        "Commits that changed a declaration, followed through renames and moves",
        DATA,
    );
    let overview = routes.post::<browse::OverviewRequest, browse::OverviewAnswer>(
        "An overview of a repository: its directories, main declarations, recent commits and index",
        DATA,
    );
    let repositories = routes.post::<browse::RepositoriesRequest, browse::RepositoriesAnswer>(
        "The repositories that are served",
        DATA,
    );
    let mut key =
        routes.post::<browse::KeyRequest, browse::KeyAnswer>("Exchange the page's key for the token", DATA);
    key["post"]["security"] = json!([]);
    [
        ("/coderag/search", search),
        ("/coderag/ask", ask),
        ("/coderag/file", file),
        ("/coderag/relations", relations),
        ("/coderag/revisions", revisions),
        ("/coderag/history", history),
        ("/coderag/overview", overview),
        ("/coderag/repositories", repositories),
        ("/coderag/key", key),
    ]
}

/// Returns the routes without a request body.
fn plain_routes(routes: &Routes) -> [(&'static str, Value); 5] {
    let string = || json!({ "type": "string" });
    let health = json!({
        "type": "object",
        "properties": { "status": { "type": "string", "enum": ["ok"] }, "version": { "type": "string" } },
        "required": ["status", "version"],
    });
    let bearer = json!([{ "bearer": [] }]);
    let open = || json!([]);
    [
        ("/", routes.get("The web page", "text/html", string(), open())),
        ("/file", routes.get("The web page, at a place in a repository", "text/html", string(), open())),
        ("/healthz", routes.get("Whether the server is running", "application/json", health, open())),
        ("/metrics", routes.get("Counters for Prometheus", "application/openmetrics-text", string(), bearer)),
        (
            "/openapi.json",
            routes.get("This document", "application/json", json!({ "type": "object" }), open()),
        ),
    ]
}

/// Describes routes, and collects the schemas that they refer to.
struct Routes {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
    /// The answer of every route to a request that fails.
    problem: Value,
}

impl Routes {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12()
                .with(|settings| settings.definitions_path = "/components/schemas".into())
        };
        let requests = settings().into_generator();
        let mut answers = settings().for_serialize().into_generator();
        let problem = response::<Document>(&mut answers, "The problem", "application/problem+json");
        Self { requests, answers, problem }
    }

    /// Describes a POST with a request of type `Q`, and an answer of type `A` for each status.
    fn post<Q: JsonSchema, A: JsonSchema>(&mut self, summary: &str, answers: &[(&str, &str)]) -> Value {
        let body = reference::<Q>(&mut self.requests);
        let mut responses = Map::new();
        for &(status, description) in answers {
            let answer = response::<A>(&mut self.answers, description, "application/json");
            responses.insert(status.to_owned(), answer);
        }
        responses.insert("default".to_owned(), self.problem.clone());
        json!({ "post": {
            "summary": summary,
            // The token may be in the body instead of the header.
            "security": [{ "bearer": [] }, {}],
            "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
            "responses": responses,
        } })
    }

    /// Describes a GET.
    fn get(&self, summary: &str, media: &str, schema: Value, security: Value) -> Value {
        json!({ "get": {
            "summary": summary,
            "security": security,
            "responses": {
                "200": { "description": summary, "content": { media: { "schema": schema } } },
                "default": self.problem,
            },
        } })
    }

    /// Returns the schemas of all described routes.
    fn schemas(&mut self) -> Map<String, Value> {
        let mut schemas = self.requests.take_definitions(true);
        schemas.extend(self.answers.take_definitions(true));
        schemas
    }
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
