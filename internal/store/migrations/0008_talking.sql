-- A conversation is written with the first thing that its visitor says.

-- Those that were begun before without a word are no calls, and are forgotten:
-- their visitors begin anew.
DELETE FROM conversations WHERE ended_at IS NULL AND version = 0;

-- lasted is what counts of a conversation so far, in microseconds: the time
-- between its turns, without the rest of long pauses.
ALTER TABLE conversations ADD COLUMN lasted BIGINT NOT NULL DEFAULT 0;

-- Who talks, and how long they have: answered from the index alone, for the rows
-- themselves are long.
CREATE INDEX conversations_talking ON conversations (tenant_id, live, touched_at, lasted) WHERE ended_at IS NULL;
DROP INDEX conversations_open;

-- How much one agent, or one telephone number, has had written down within the
-- hour that began at since. A number is kept as a digest.
CREATE TABLE booking_counts (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    whose     TEXT    NOT NULL,
    since     BIGINT  NOT NULL,
    count     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, live, whose)
);
CREATE INDEX booking_counts_old ON booking_counts (since);
