-- Indexes for the filters of lists: a page costs the same however rare its rows
-- are. All tables here grow with the history.

CREATE INDEX {concurrently} captures_of_agent ON captures (tenant_id, live, agent_id, id);
CREATE INDEX {concurrently} captures_of_phone ON captures (tenant_id, live, phone_tail, id) WHERE phone_tail IS NOT NULL;
CREATE INDEX {concurrently} captures_by_schedule ON captures (tenant_id, live, scheduled_at, id) WHERE scheduled_at IS NOT NULL;
CREATE INDEX {concurrently} captures_by_change ON captures (tenant_id, live, COALESCE(updated_at, created_at), id);

CREATE INDEX {concurrently} calls_of_agent ON calls (tenant_id, live, agent_id, id);
CREATE INDEX {concurrently} calls_by_language ON calls (tenant_id, live, language, id);
CREATE INDEX {concurrently} calls_of_caller ON calls (tenant_id, live, caller, id) WHERE caller IS NOT NULL;

CREATE INDEX {concurrently} events_by_type ON events (tenant_id, live, type, id);
CREATE INDEX {concurrently} events_of_agent ON events (tenant_id, live, agent_id, id) WHERE agent_id IS NOT NULL;
