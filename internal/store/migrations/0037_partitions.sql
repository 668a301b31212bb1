-- Calls, events and what belongs to them stand in partitions by the time in
-- their ids; see partitions.go. SQLite has none.
--
-- The tables as they are become the first partitions, which hold every id there
-- can be: nothing is read and nothing is copied. Indexes and references that the
-- new tables have too are taken over.

{postgres
LOCK TABLE calls, transcripts, call_words, deliveries, events IN ACCESS EXCLUSIVE MODE;

ALTER TABLE calls RENAME TO calls_first;
ALTER INDEX calls_pkey RENAME TO calls_first_pkey;
ALTER INDEX calls_by_outcome RENAME TO calls_first_by_outcome;
ALTER INDEX calls_by_channel RENAME TO calls_first_by_channel;
ALTER INDEX calls_by_outcome_channel RENAME TO calls_first_by_outcome_channel;
ALTER INDEX calls_by_time RENAME TO calls_first_by_time;
ALTER INDEX calls_of_agent RENAME TO calls_first_of_agent;
ALTER INDEX calls_by_language RENAME TO calls_first_by_language;
ALTER INDEX calls_of_caller RENAME TO calls_first_of_caller;
ALTER INDEX calls_of_agent_by_outcome RENAME TO calls_first_of_agent_by_outcome;
CREATE TABLE calls (
    LIKE calls_first INCLUDING DEFAULTS INCLUDING STORAGE,
    PRIMARY KEY (tenant_id, live, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) PARTITION BY RANGE (id);
CREATE INDEX calls_by_outcome ON calls (tenant_id, live, outcome, id);
CREATE INDEX calls_by_channel ON calls (tenant_id, live, channel, id);
CREATE INDEX calls_by_outcome_channel ON calls (tenant_id, live, outcome, channel, id);
CREATE INDEX calls_by_time ON calls (tenant_id, live, started_at, agent_id, channel, outcome, language, duration_seconds);
CREATE INDEX calls_of_agent ON calls (tenant_id, live, agent_id, id);
CREATE INDEX calls_by_language ON calls (tenant_id, live, language, id);
CREATE INDEX calls_of_caller ON calls (tenant_id, live, caller, id) WHERE caller IS NOT NULL;
CREATE INDEX calls_of_agent_by_outcome ON calls (tenant_id, live, agent_id, outcome, id);
ALTER TABLE calls ATTACH PARTITION calls_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

-- A reference to a table in partitions would be looked at whenever one of them
-- is dropped: what a transcript takes along, a trigger deletes.
ALTER TABLE call_words DROP CONSTRAINT call_words_tenant_id_live_call_id_fkey;

ALTER TABLE transcripts RENAME TO transcripts_first;
ALTER INDEX transcripts_pkey RENAME TO transcripts_first_pkey;
CREATE TABLE transcripts (
    LIKE transcripts_first INCLUDING DEFAULTS INCLUDING STORAGE,
    PRIMARY KEY (tenant_id, live, call_id)
) PARTITION BY RANGE (call_id);
ALTER TABLE transcripts ATTACH PARTITION transcripts_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE call_words RENAME TO call_words_first;
ALTER INDEX call_words_pkey RENAME TO call_words_first_pkey;
ALTER INDEX call_words_index RENAME TO call_words_first_index;
CREATE TABLE call_words (
    LIKE call_words_first INCLUDING DEFAULTS INCLUDING STORAGE,
    PRIMARY KEY (tenant_id, live, call_id)
) PARTITION BY RANGE (call_id);
CREATE INDEX call_words_index ON call_words USING gin (words) WITH (gin_pending_list_limit = 256);
ALTER TABLE call_words ATTACH PARTITION call_words_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

CREATE FUNCTION forget_call_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM call_words WHERE tenant_id = OLD.tenant_id AND live = OLD.live AND call_id = OLD.call_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER transcripts_deleted AFTER DELETE ON transcripts FOR EACH ROW EXECUTE FUNCTION forget_call_words();

ALTER TABLE deliveries RENAME TO deliveries_first;
ALTER INDEX deliveries_pkey RENAME TO deliveries_first_pkey;
ALTER INDEX deliveries_due RENAME TO deliveries_first_due;
ALTER INDEX deliveries_by_connection RENAME TO deliveries_first_by_connection;
ALTER INDEX deliveries_by_status RENAME TO deliveries_first_by_status;
ALTER INDEX deliveries_by_time RENAME TO deliveries_first_by_time;
ALTER INDEX deliveries_by_event RENAME TO deliveries_first_by_event;
CREATE TABLE deliveries (
    LIKE deliveries_first INCLUDING DEFAULTS INCLUDING STORAGE,
    PRIMARY KEY (tenant_id, live, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) PARTITION BY RANGE (id);
CREATE INDEX deliveries_due ON deliveries (connection_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_by_connection ON deliveries (tenant_id, live, connection_id, id);
CREATE INDEX deliveries_by_status ON deliveries (tenant_id, live, connection_id, status, id);
CREATE INDEX deliveries_by_time ON deliveries (created_at);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
ALTER TABLE deliveries ATTACH PARTITION deliveries_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE events RENAME TO events_first;
ALTER INDEX events_pkey RENAME TO events_first_pkey;
ALTER INDEX events_by_time RENAME TO events_first_by_time;
ALTER INDEX events_by_type RENAME TO events_first_by_type;
ALTER INDEX events_of_agent RENAME TO events_first_of_agent;
CREATE TABLE events (
    LIKE events_first INCLUDING DEFAULTS INCLUDING STORAGE,
    PRIMARY KEY (tenant_id, live, id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
) PARTITION BY RANGE (id);
CREATE INDEX events_by_time ON events (created_at);
CREATE INDEX events_by_type ON events (tenant_id, live, type, id);
CREATE INDEX events_of_agent ON events (tenant_id, live, agent_id, id) WHERE agent_id IS NOT NULL;
ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
postgres}
