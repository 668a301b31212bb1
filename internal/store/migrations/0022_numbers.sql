-- Telephone numbers, and the agents that answer them.

-- A number is one over all tenants: it is all that an incoming call brings.
-- secret is sealed: what a carrier's requests are checked by, NULL where there
-- is none.
CREATE TABLE numbers (
    number     TEXT    PRIMARY KEY,
    tenant_id  {id}    NOT NULL REFERENCES tenants (id),
    live       BOOLEAN NOT NULL,
    agent_id   {id}    NOT NULL,
    carrier    TEXT    NOT NULL,
    secret     {bytes},
    created_at BIGINT  NOT NULL
);
CREATE INDEX numbers_by_tenant ON numbers (tenant_id, live, number);
