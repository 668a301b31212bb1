-- Calendars of others: their busy times are read, and appointments written into
-- them.

-- url and password are sealed: whoever has the address of a calendar reads it.
-- next_at is when it is to be read next, or the end of the lease of who reads
-- it. read_at is when all of it was read last, ok_at when it last answered.
CREATE TABLE outside_calendars (
    tenant_id     {id}    NOT NULL REFERENCES tenants (id),
    live          BOOLEAN NOT NULL,
    id            {id}    NOT NULL,
    agent_id      {id}    NOT NULL,
    resource_id   TEXT,
    kind          TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    url           {bytes} NOT NULL,
    username      TEXT    NOT NULL,
    password      {bytes},
    tag           TEXT    NOT NULL,
    digest        {bytes},
    periods       INTEGER NOT NULL,
    problem       TEXT    NOT NULL,
    read_at       BIGINT,
    ok_at         BIGINT  NOT NULL,
    failing_since BIGINT,
    next_at       BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX outside_calendars_due ON outside_calendars (next_at);

-- The times that an outside calendar takes away, none of which overlap. They are
-- replaced whole. resource_id is that of the calendar.
CREATE TABLE outside_busy (
    tenant_id   {id}    NOT NULL,
    live        BOOLEAN NOT NULL,
    agent_id    {id}    NOT NULL,
    starts_at   BIGINT  NOT NULL,
    calendar_id {id}    NOT NULL,
    ends_at     BIGINT  NOT NULL,
    resource_id TEXT,
    PRIMARY KEY (tenant_id, live, agent_id, starts_at, calendar_id)
);

-- What is to be written into outside calendars, one row for each appointment and
-- calendar. due_at is NULL once it is written, or dead. version tells a change
-- that came while an older state was being written.
CREATE TABLE calendar_writes (
    tenant_id   {id}    NOT NULL,
    live        BOOLEAN NOT NULL,
    capture_id  {id}    NOT NULL,
    calendar_id {id}    NOT NULL,
    version     INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    written     BOOLEAN NOT NULL,
    dead        BOOLEAN NOT NULL,
    due_at      BIGINT,
    lease_until BIGINT,
    problem     TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, live, capture_id, calendar_id)
);
CREATE INDEX calendar_writes_due ON calendar_writes (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX calendar_writes_by_calendar ON calendar_writes (calendar_id);
