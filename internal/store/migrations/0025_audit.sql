-- What people, keys and operators changed. An entry is written in the transaction
-- of its change.

-- live is NULL where the change counts in both modes: agents, keys, the plan.
-- kind is the part of action before its dot. changes is JSON.
CREATE TABLE audit (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN,
    id        {id}    NOT NULL,
    at        BIGINT  NOT NULL,
    by_kind   TEXT    NOT NULL,
    by_name   TEXT    NOT NULL,
    by_id     TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    action    TEXT    NOT NULL,
    object_id TEXT    NOT NULL,
    object    TEXT    NOT NULL,
    changes   TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_by_kind ON audit (tenant_id, kind, id);
CREATE INDEX audit_by_object ON audit (tenant_id, object_id, id);
CREATE INDEX audit_by_time ON audit (at);
