-- What an agent has sent within a day is counted before each notice.

CREATE INDEX {concurrently} notices_by_agent ON notices (tenant_id, live, agent_id, channel, sent_at) WHERE sent_at IS NOT NULL;
