-- Questions of callers that were not answered, by the agent that they were put to.
-- unanswered keeps those of which no agent is known: all from before, and those of
-- calls that have none.
CREATE TABLE unanswered_of_agents (
    tenant_id     {id}    NOT NULL REFERENCES tenants (id),
    live          BOOLEAN NOT NULL,
    day           BIGINT  NOT NULL,
    agent_id      {id}    NOT NULL,
    spelling      TEXT    NOT NULL,
    question      TEXT    NOT NULL,
    times         INTEGER NOT NULL,
    last_asked_at BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, day, agent_id, spelling)
);
