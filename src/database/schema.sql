-- What `git cora export` keeps in a database, version 1. Everything lies in the schema `cora`: `DROP SCHEMA cora CASCADE`
-- takes all of it away again.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE SCHEMA IF NOT EXISTS cora;

-- One row: what the others were made with.
CREATE TABLE IF NOT EXISTS cora.meta (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    schema_version integer NOT NULL,
    content        text NOT NULL,     -- versions of the records' bytes and meaning
    model          text NOT NULL      -- of the embeddings
);

CREATE TABLE IF NOT EXISTS cora.repository (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    commit        text,               -- whose export is whole; null before the first
    target        text,               -- what is being exported over it; null when nothing is
    n_chunks      bigint NOT NULL DEFAULT 0,
    total_lengths bigint[] NOT NULL DEFAULT '{}',   -- terms by field: symbol, signature, doc, body, scope, stem, directory
    vector_sums   bigint[] NOT NULL DEFAULT '{}',   -- sum of the embeddings
    exported_at   timestamptz NOT NULL DEFAULT now()
);

CREATE SEQUENCE IF NOT EXISTS cora.file_id;

CREATE TABLE IF NOT EXISTS cora.file (
    id            bigint PRIMARY KEY DEFAULT nextval('cora.file_id'),
    repository_id integer NOT NULL REFERENCES cora.repository ON DELETE CASCADE,
    path          text NOT NULL,      -- as Git quotes it if it is not UTF-8
    blob          text NOT NULL,
    language      text NOT NULL,
    record_id     text NOT NULL,
    record        bytea NOT NULL,     -- see src/record/FORMAT.md
    text          text,               -- null unless it was asked for
    UNIQUE (repository_id, path)
);

CREATE TABLE IF NOT EXISTS cora.chunk (
    file_id       bigint NOT NULL REFERENCES cora.file ON DELETE CASCADE,
    ord           integer NOT NULL,   -- from 0 in its file
    repository_id integer NOT NULL,
    start_line    integer NOT NULL,   -- from 1, both included
    end_line      integer NOT NULL,
    start_byte    bigint NOT NULL,    -- from 0, the end excluded
    end_byte      bigint NOT NULL,
    kind          text NOT NULL,
    symbol        text NOT NULL,
    content_hash  text,               -- SHA-256 of the chunk's text; null if that could not be read
    embedding     vector(256) NOT NULL,   -- whole numbers; the length is about 300
    terms         tsvector NOT NULL,  -- A: symbol, stem; B: signature, scope; C: doc; D: body, directory
    PRIMARY KEY (file_id, ord)
);

-- In how many chunks of a repository a term occurs.
CREATE TABLE IF NOT EXISTS cora.term (
    repository_id integer NOT NULL REFERENCES cora.repository ON DELETE CASCADE,
    term          text NOT NULL,
    n_chunks      integer NOT NULL,
    PRIMARY KEY (term, repository_id)
);
