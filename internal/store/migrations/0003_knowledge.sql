-- Documents, the fragments they were cut into, and the questions that found no
-- answer in them.

-- Of all deliveries, not of the open ones: an index that is nearly always empty
-- tempts PostgreSQL to read it whole for other questions, just when it is full.
DROP INDEX deliveries_open_by_event;
CREATE INDEX deliveries_by_event ON deliveries (event_id);

-- What the operator has set for one agent.
ALTER TABLE agents ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';

-- shelf is whom a document serves: the id of one agent, or that of the tenant
-- for all of them. due_at is when a worker is to look at it: NULL for those
-- that are done, the end of the lease for one that is being read.
CREATE TABLE documents (
    tenant_id   {id}    NOT NULL REFERENCES tenants (id),
    live        BOOLEAN NOT NULL,
    id          {id}    NOT NULL,
    shelf       {id}    NOT NULL,
    title       TEXT    NOT NULL,
    filename    TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    size_bytes  BIGINT  NOT NULL,
    sha256      {bytes} NOT NULL,
    status      TEXT    NOT NULL,
    help        TEXT    NOT NULL,
    attempts    INTEGER NOT NULL,
    due_at      BIGINT,
    fragments   INTEGER NOT NULL,
    languages   TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    updated_at  BIGINT  NOT NULL,
    ready_at    BIGINT,
    archived_at BIGINT,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE UNIQUE INDEX documents_by_bytes ON documents (tenant_id, live, shelf, sha256);
CREATE INDEX documents_by_status ON documents (tenant_id, live, status, id);
CREATE INDEX documents_by_shelf ON documents (tenant_id, live, shelf, id);
CREATE INDEX documents_by_shelf_status ON documents (tenant_id, live, shelf, status, id);
CREATE INDEX documents_due ON documents (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE fragments (
    tenant_id   {id}    NOT NULL REFERENCES tenants (id),
    live        BOOLEAN NOT NULL,
    document_id {id}    NOT NULL,
    position    INTEGER NOT NULL,
    id          {id}    NOT NULL,
    page        INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    language    TEXT    NOT NULL,
    heading     TEXT    NOT NULL,
    question    TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    vector      {bytes},
    PRIMARY KEY (tenant_id, live, document_id, position)
);

-- Raised by every change to what can be answered from, so that each node knows
-- when what it has in memory is old.
CREATE TABLE knowledge (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    version   BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live)
);

-- Questions of callers that were not answered, counted by day.
CREATE TABLE unanswered (
    tenant_id     {id}    NOT NULL REFERENCES tenants (id),
    live          BOOLEAN NOT NULL,
    day           BIGINT  NOT NULL,
    spelling      TEXT    NOT NULL,
    question      TEXT    NOT NULL,
    times         INTEGER NOT NULL,
    last_asked_at BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, day, spelling)
);
