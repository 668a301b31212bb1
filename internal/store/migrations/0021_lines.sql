-- Which conversation a call on the telephone is: a carrier tells of the same call
-- many times, and it is begun once.

CREATE TABLE lines (
    tenant_id       {id}    NOT NULL REFERENCES tenants (id),
    live            BOOLEAN NOT NULL,
    line            TEXT    NOT NULL,
    conversation_id {id}    NOT NULL,
    started_at      BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, line)
);
CREATE INDEX lines_by_time ON lines (started_at);
