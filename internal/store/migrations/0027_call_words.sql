-- An index of the words of transcripts; see calls_words.go. A transcript that is
-- deleted takes its words along.

{sqlite
-- n tells the row of the index. It begins with the millisecond of the call's id,
-- so that the index keeps the order of calls.
CREATE TABLE call_words (
    n         INTEGER PRIMARY KEY,
    tenant_id {id}    NOT NULL,
    live      BOOLEAN NOT NULL,
    call_id   {id}    NOT NULL,
    UNIQUE (tenant_id, live, call_id),
    FOREIGN KEY (tenant_id, live, call_id) REFERENCES transcripts (tenant_id, live, call_id) ON DELETE CASCADE
);
CREATE VIRTUAL TABLE call_words_index USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TRIGGER call_words_deleted AFTER DELETE ON call_words BEGIN
    DELETE FROM call_words_index WHERE rowid = old.n;
END;
sqlite}

{postgres
-- The words themselves stand apart from their rows: a search that finds many
-- calls reads all of their rows, and none of their words.
CREATE TABLE call_words (
    tenant_id {id}     NOT NULL,
    live      BOOLEAN  NOT NULL,
    call_id   {id}     NOT NULL,
    words     text[]   NOT NULL,
    PRIMARY KEY (tenant_id, live, call_id),
    FOREIGN KEY (tenant_id, live, call_id) REFERENCES transcripts (tenant_id, live, call_id) ON DELETE CASCADE
) WITH (toast_tuple_target = 128);
-- How often a word is said is not guessed: every search goes through the index.
ALTER TABLE call_words ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN words SET STATISTICS 0;
-- What waits to be put into the index is looked through by every search.
CREATE INDEX call_words_index ON call_words USING gin (words) WITH (gin_pending_list_limit = 256);
postgres}

-- Calls from before the index that are still to be put into it: those of an owner
-- after an id. While an owner has a row here, its calls are looked through.
CREATE TABLE word_backfills (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    after     {id}    NOT NULL,
    PRIMARY KEY (tenant_id, live)
);
INSERT INTO word_backfills (tenant_id, live, after)
SELECT id, TRUE, '00000000-0000-0000-0000-000000000000' FROM tenants;
INSERT INTO word_backfills (tenant_id, live, after)
SELECT id, FALSE, '00000000-0000-0000-0000-000000000000' FROM tenants;
