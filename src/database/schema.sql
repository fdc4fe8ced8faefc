-- The tables of `git cora export`, version 1. Everything is in the schema `cora`:
-- `DROP SCHEMA cora CASCADE` removes all of it.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE SCHEMA IF NOT EXISTS cora;

-- One row: the versions that made all other rows.
CREATE TABLE IF NOT EXISTS cora.meta (
    only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    schema_version integer NOT NULL,
    content        text NOT NULL,     -- versions of the records' format and content
    model          text NOT NULL      -- name of the embedding model
);

CREATE TABLE IF NOT EXISTS cora.repository (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    commit        text,               -- the completely exported commit; null before the first
    target        text,               -- the commit of an unfinished export; null if there is none
    n_chunks      bigint NOT NULL DEFAULT 0,
    -- terms by field: symbol, signature, doc, body, scope, stem, directory
    total_lengths bigint[] NOT NULL DEFAULT '{}',
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
    record        bytea NOT NULL,     -- see src/index/record/FORMAT.md
    text          text,               -- null unless the export included texts
    UNIQUE (repository_id, path)
);

CREATE TABLE IF NOT EXISTS cora.chunk (
    file_id       bigint NOT NULL REFERENCES cora.file ON DELETE CASCADE,
    ord           integer NOT NULL,   -- from 0 in its file
    repository_id integer NOT NULL,
    start_line    integer NOT NULL,   -- from 1, both lines included
    end_line      integer NOT NULL,
    start_byte    bigint NOT NULL,    -- from 0, the end excluded
    end_byte      bigint NOT NULL,
    kind          text NOT NULL,
    symbol        text NOT NULL,
    content_hash  text,               -- SHA-256 of the chunk's text; null if unreadable
    embedding     vector(256) NOT NULL,   -- integers; the vector's length is about 300
    -- weights A: symbol, stem; B: signature, scope; C: doc; D: body, directory
    terms         tsvector NOT NULL,
    PRIMARY KEY (file_id, ord)
);

-- Document frequencies: the number of a repository's chunks with a term.
CREATE TABLE IF NOT EXISTS cora.term (
    repository_id integer NOT NULL REFERENCES cora.repository ON DELETE CASCADE,
    term          text NOT NULL,
    n_chunks      integer NOT NULL,
    PRIMARY KEY (term, repository_id)
);
