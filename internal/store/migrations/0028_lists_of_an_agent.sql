-- What one agent has that is to be looked at: which of its captures nobody has
-- confirmed, which are messages, which of its calls have failed. Without these a
-- page that finds nothing goes through all that the agent has ever taken.

CREATE INDEX {concurrently} captures_of_agent_by_status ON captures (tenant_id, live, agent_id, status, id);
CREATE INDEX {concurrently} captures_of_agent_by_kind ON captures (tenant_id, live, agent_id, kind, id);

CREATE INDEX {concurrently} calls_of_agent_by_outcome ON calls (tenant_id, live, agent_id, outcome, id);
