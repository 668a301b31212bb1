-- Conversations that are being held, and for a day those that have ended.

-- state and turns are the conversation itself, written after every turn: turns
-- grows by what was said, one JSON object a line. Both are emptied when the
-- conversation ends and becomes a call with the same id. version counts the
-- turns, so that nobody goes on from a state that another has left behind.
CREATE TABLE conversations (
    tenant_id  {id}    NOT NULL REFERENCES tenants (id),
    live       BOOLEAN NOT NULL,
    id         {id}    NOT NULL,
    agent_id   {id}    NOT NULL,
    channel    TEXT    NOT NULL,
    token      {bytes} NOT NULL,
    language   TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    turns      TEXT    NOT NULL,
    version    BIGINT  NOT NULL,
    started_at BIGINT  NOT NULL,
    touched_at BIGINT  NOT NULL,
    ended_at   BIGINT,
    outcome    TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
-- A visitor has nothing but the id and its token.
CREATE UNIQUE INDEX conversations_by_id ON conversations (id);
CREATE INDEX conversations_open ON conversations (tenant_id, live, touched_at, started_at) WHERE ended_at IS NULL;
CREATE INDEX conversations_silent ON conversations (touched_at) WHERE ended_at IS NULL;
CREATE INDEX conversations_ended ON conversations (ended_at) WHERE ended_at IS NOT NULL;

-- What a call has brought in, whoever wrote it down.
CREATE INDEX captures_by_call ON captures (tenant_id, live, call_id, id) WHERE call_id IS NOT NULL;
