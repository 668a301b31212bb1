-- What people have changed about an agent and not published yet: one draft an
-- agent. base is the version that it began with ('': the agent had none), and
-- before is what stood in it, so that what was published meanwhile can be told
-- from what the draft changes.
CREATE TABLE agent_drafts (
    tenant_id       {id}    NOT NULL REFERENCES tenants (id),
    agent_id        {id}    NOT NULL,
    base            TEXT    NOT NULL,
    before_config   TEXT    NOT NULL,
    before_settings TEXT    NOT NULL,
    config          TEXT    NOT NULL,
    settings        TEXT    NOT NULL,
    by_kind         TEXT    NOT NULL,
    by_name         TEXT    NOT NULL,
    changed_at      BIGINT  NOT NULL,
    discarded       BOOLEAN NOT NULL,
    PRIMARY KEY (tenant_id, agent_id)
);
