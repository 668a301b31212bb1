-- Tallies of calls and captures, from which analytics are read.

-- What a UTC day came to for one agent, or for all of an owner's agents together
-- under the UUID of zeros, packed; see sheet.go. day counts from 1970.
CREATE TABLE tally_days (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    agent_id  {id}    NOT NULL,
    day       BIGINT  NOT NULL,
    sheet     {bytes} NOT NULL,
    PRIMARY KEY (tenant_id, live, agent_id, day)
);

-- What one transaction recorded of a day: a sheet of its own, written with the
-- calls and captures. A worker adds it to the day's. A day is its sheets and
-- these together.
CREATE TABLE tally_entries (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    day       BIGINT  NOT NULL,
    id        {id}    NOT NULL,
    sheet     {bytes} NOT NULL,
    PRIMARY KEY (tenant_id, live, day, id)
);

-- TRUE for rows that were tallied as they were written, NULL for those that are
-- older than the tallies.
ALTER TABLE calls ADD COLUMN tallied BOOLEAN;
ALTER TABLE captures ADD COLUMN tallied BOOLEAN;

-- The older rows that are still to be tallied: those of the table after an id.
-- While an owner has a row here, its analytics are counted.
CREATE TABLE tally_backfills (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    source    TEXT    NOT NULL,
    after     {id}    NOT NULL,
    PRIMARY KEY (tenant_id, live, source)
);
INSERT INTO tally_backfills (tenant_id, live, source, after)
SELECT id, TRUE, 'calls', '00000000-0000-0000-0000-000000000000' FROM tenants;
INSERT INTO tally_backfills (tenant_id, live, source, after)
SELECT id, FALSE, 'calls', '00000000-0000-0000-0000-000000000000' FROM tenants;
INSERT INTO tally_backfills (tenant_id, live, source, after)
SELECT id, TRUE, 'captures', '00000000-0000-0000-0000-000000000000' FROM tenants;
INSERT INTO tally_backfills (tenant_id, live, source, after)
SELECT id, FALSE, 'captures', '00000000-0000-0000-0000-000000000000' FROM tenants;
