-- What people are told: one row for each address. due_at is when a notice is to
-- be looked at again, as in deliveries: NULL for those that are done.
CREATE TABLE notices (
    tenant_id    {id}    NOT NULL REFERENCES tenants (id),
    live         BOOLEAN NOT NULL,
    id           {id}    NOT NULL,
    agent_id     {id}    NOT NULL,
    capture_id   {id},
    call_id      {id},
    kind         TEXT    NOT NULL,
    channel      TEXT    NOT NULL,
    address      TEXT    NOT NULL,
    language     TEXT,
    scheduled_at TEXT,
    former       TEXT,
    once         TEXT,
    status       TEXT    NOT NULL,
    attempts     INTEGER NOT NULL,
    error_code   TEXT    NOT NULL,
    message      TEXT    NOT NULL,
    reference    TEXT,
    created_at   BIGINT  NOT NULL,
    due_at       BIGINT,
    sent_at      BIGINT,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX notices_due ON notices (channel, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_by_capture ON notices (tenant_id, live, capture_id, id);
CREATE INDEX notices_by_status ON notices (tenant_id, live, status, id);
CREATE INDEX notices_by_address ON notices (tenant_id, live, address, sent_at);
CREATE INDEX notices_by_time ON notices (created_at);
CREATE UNIQUE INDEX notices_once ON notices (tenant_id, live, once) WHERE once IS NOT NULL;

-- Addresses at which nobody wants to be reminded any more.
CREATE TABLE notice_stops (
    tenant_id  {id}    NOT NULL REFERENCES tenants (id),
    live       BOOLEAN NOT NULL,
    address    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, address)
);
