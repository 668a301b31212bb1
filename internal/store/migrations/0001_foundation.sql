-- Tenants, keys, agents, calls, captures, usage.
--
-- {id} and {bytes} are the column types that differ between the databases.
-- Times are microseconds since 1970. Tables that belong to a tenant and a mode
-- have both at the front of their key: no index leads across owners, so no
-- query plan can wander there.

CREATE TABLE tenants (
    id         {id}   PRIMARY KEY,
    slug       TEXT   NOT NULL UNIQUE,
    name       TEXT   NOT NULL,
    timezone   TEXT   NOT NULL,
    plan       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id           {id}    PRIMARY KEY,
    tenant_id    {id}    NOT NULL REFERENCES tenants (id),
    live         BOOLEAN NOT NULL,
    name         TEXT    NOT NULL,
    prefix       TEXT    NOT NULL,
    hash         {bytes} NOT NULL UNIQUE,
    scopes       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, id);

CREATE TABLE agents (
    tenant_id    {id}   NOT NULL REFERENCES tenants (id),
    id           {id}   NOT NULL,
    slug         TEXT   NOT NULL,
    vertical     TEXT   NOT NULL,
    display_name TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    languages    TEXT   NOT NULL,
    timezone     TEXT   NOT NULL,
    config       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug)
);

-- A call as the lists show it. The transcript stands apart, so that a page of
-- calls reads only what it shows.
CREATE TABLE calls (
    tenant_id        {id}    NOT NULL REFERENCES tenants (id),
    live             BOOLEAN NOT NULL,
    id               {id}    NOT NULL,
    agent_id         {id},
    started_at       BIGINT  NOT NULL,
    duration_seconds INTEGER NOT NULL,
    language         TEXT    NOT NULL,
    outcome          TEXT    NOT NULL,
    channel          TEXT    NOT NULL,
    summary          TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
-- One index for each combination of filters that a list can have: a page costs
-- the same however rare its rows are.
CREATE INDEX calls_by_outcome ON calls (tenant_id, live, outcome, id);
CREATE INDEX calls_by_channel ON calls (tenant_id, live, channel, id);
CREATE INDEX calls_by_outcome_channel ON calls (tenant_id, live, outcome, channel, id);
-- Holds every column that analytics counts.
CREATE INDEX calls_by_time ON calls (tenant_id, live, started_at, agent_id, channel, outcome, language, duration_seconds);

CREATE TABLE transcripts (
    tenant_id  {id}    NOT NULL,
    live       BOOLEAN NOT NULL,
    call_id    {id}    NOT NULL,
    transcript TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, live, call_id)
);

-- A capture is written when the caller confirms, before its call has ended:
-- call_id therefore references nothing.
CREATE TABLE captures (
    tenant_id         {id}    NOT NULL REFERENCES tenants (id),
    live              BOOLEAN NOT NULL,
    id                {id}    NOT NULL,
    agent_id          {id},
    call_id           {id},
    channel           TEXT    NOT NULL,
    kind              TEXT    NOT NULL,
    customer_name     TEXT    NOT NULL,
    customer_phone    TEXT    NOT NULL,
    scheduled_at      TEXT,
    service           TEXT    NOT NULL,
    confirmation_code TEXT    NOT NULL,
    status            TEXT    NOT NULL,
    created_at        BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX captures_by_status ON captures (tenant_id, live, status, id);
CREATE INDEX captures_by_kind ON captures (tenant_id, live, kind, id);
CREATE INDEX captures_by_status_kind ON captures (tenant_id, live, status, kind, id);
CREATE INDEX captures_by_time ON captures (tenant_id, live, created_at, agent_id, channel);

-- The sum over the calls of a month, kept in the transaction that adds a call.
CREATE TABLE usage_periods (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    period    TEXT    NOT NULL,
    seconds   BIGINT  NOT NULL,
    calls     BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, period)
);

-- Answers to POST requests that carried an Idempotency-Key. status is NULL
-- while the first one runs; answer is sealed with the master key.
CREATE TABLE idempotency_keys (
    tenant_id   {id}    NOT NULL REFERENCES tenants (id),
    live        BOOLEAN NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint {bytes} NOT NULL,
    status      INTEGER,
    answer      {bytes},
    lease_until BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, key)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
