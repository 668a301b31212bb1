-- The captures of kind waiting whose day is still to come, for who looks again
-- and again whether a place has come free: few rows, however many captures
-- there are.
CREATE TABLE waiting_list (
    tenant_id    {id}    NOT NULL REFERENCES tenants (id),
    live         BOOLEAN NOT NULL,
    capture_id   {id}    NOT NULL,
    agent_id     {id}    NOT NULL,
    scheduled_at TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, live, capture_id)
);
