-- The book: what changed, and who is told of it.

-- Kinds of events beside those of events that a connection is told of.
ALTER TABLE connections ADD COLUMN additional_events TEXT;

-- NULL in rows from before, which are pruned after thirty days.
ALTER TABLE events ADD COLUMN agent_id {id};

-- The newest row of agent_revisions; NULL until the agent changes.
ALTER TABLE agents ADD COLUMN revision {id};

-- An agent as it was from each change on. fields are what the change touched.
CREATE TABLE agent_revisions (
    tenant_id  {id}   NOT NULL REFERENCES tenants (id),
    agent_id   {id}   NOT NULL,
    id         {id}   NOT NULL,
    by_kind    TEXT   NOT NULL,
    by_name    TEXT   NOT NULL,
    fields     TEXT   NOT NULL,
    config     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, id)
);

-- Addresses under which an agent's appointments, or those with one of its
-- resources, are read by other calendars. What is kept of an address is its
-- hash.
CREATE TABLE calendar_feeds (
    tenant_id   {id}    NOT NULL REFERENCES tenants (id),
    live        BOOLEAN NOT NULL,
    id          {id}    NOT NULL,
    agent_id    {id}    NOT NULL,
    resource_id TEXT,
    hash        {bytes} NOT NULL,
    created_at  BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE UNIQUE INDEX calendar_feeds_by_hash ON calendar_feeds (hash);
