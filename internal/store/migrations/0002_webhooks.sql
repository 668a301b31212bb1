-- Connections, the events they are told of, and the deliveries of one to the
-- other.

CREATE TABLE connections (
    tenant_id            {id}    NOT NULL REFERENCES tenants (id),
    live                 BOOLEAN NOT NULL,
    id                   {id}    NOT NULL,
    agent_id             {id},
    name                 TEXT    NOT NULL,
    url                  TEXT    NOT NULL,
    events               TEXT    NOT NULL,
    status               TEXT    NOT NULL,
    disabled_by          TEXT    NOT NULL,
    disabled_reason      TEXT    NOT NULL,
    secret               {bytes} NOT NULL,
    secret_prefix        TEXT    NOT NULL,
    secret_set_at        BIGINT  NOT NULL,
    old_secret           {bytes},
    old_until            BIGINT,
    failing_since        BIGINT,
    last_delivered_at    BIGINT,
    last_failure_at      BIGINT,
    last_http_status     INTEGER NOT NULL,
    consecutive_failures INTEGER NOT NULL,
    created_at           BIGINT  NOT NULL,
    updated_at           BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);

-- What is sent, to the byte, however many connections it goes to.
CREATE TABLE events (
    tenant_id  {id}    NOT NULL REFERENCES tenants (id),
    live       BOOLEAN NOT NULL,
    id         {id}    NOT NULL,
    type       TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX events_by_time ON events (created_at);

-- due_at is when a delivery is to be looked at again: the next attempt of one
-- that is pending or failed, the end of the lease of one that is delivering. It
-- is NULL for those that are done, so the index of open deliveries stays as
-- small as the backlog, whatever the history.
CREATE TABLE deliveries (
    tenant_id     {id}    NOT NULL REFERENCES tenants (id),
    live          BOOLEAN NOT NULL,
    id            {id}    NOT NULL,
    connection_id {id}    NOT NULL,
    event_id      {id}    NOT NULL,
    event         TEXT    NOT NULL,
    status        TEXT    NOT NULL,
    attempts      INTEGER NOT NULL,
    max_attempts  INTEGER NOT NULL,
    http_status   INTEGER,
    latency_ms    INTEGER,
    error_code    TEXT    NOT NULL,
    message       TEXT    NOT NULL,
    created_at    BIGINT  NOT NULL,
    due_at        BIGINT,
    delivered_at  BIGINT,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX deliveries_due ON deliveries (connection_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_open_by_event ON deliveries (event_id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_by_connection ON deliveries (tenant_id, live, connection_id, id);
CREATE INDEX deliveries_by_status ON deliveries (tenant_id, live, connection_id, status, id);
CREATE INDEX deliveries_by_time ON deliveries (created_at);
