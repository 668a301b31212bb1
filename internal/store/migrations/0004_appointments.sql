-- What an appointment takes of the calendar, and the places that are held for
-- callers who are about to say yes.

-- minutes is what it takes with its buffer. phone_tail are the last digits of
-- the telephone number, however it was written. once names the one act that
-- made the capture: done again, it makes no second one.
ALTER TABLE captures ADD COLUMN service_id TEXT;
ALTER TABLE captures ADD COLUMN party INTEGER;
ALTER TABLE captures ADD COLUMN minutes INTEGER;
ALTER TABLE captures ADD COLUMN email TEXT;
ALTER TABLE captures ADD COLUMN phone_tail TEXT;
ALTER TABLE captures ADD COLUMN once TEXT;

UPDATE captures SET phone_tail =
    REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(customer_phone, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', ''), '+', '')
    WHERE customer_phone <> '';
UPDATE captures SET phone_tail = SUBSTR(phone_tail, LENGTH(phone_tail) - 8) WHERE LENGTH(phone_tail) > 9;
UPDATE captures SET phone_tail = NULL WHERE LENGTH(phone_tail) < 6;

CREATE UNIQUE INDEX captures_once ON captures (tenant_id, live, once) WHERE once IS NOT NULL;

-- Of the appointments that take a place, and of no others: what a day costs
-- does not grow with what is done, cancelled or no appointment at all.
CREATE INDEX captures_by_place ON captures (tenant_id, live, agent_id, scheduled_at)
    WHERE kind = 'appointment' AND status IN ('pending_confirm', 'confirmed');
CREATE INDEX captures_by_code ON captures (tenant_id, live, agent_id, confirmation_code, scheduled_at)
    WHERE kind = 'appointment' AND status IN ('pending_confirm', 'confirmed');
CREATE INDEX captures_by_phone ON captures (tenant_id, live, agent_id, phone_tail, scheduled_at)
    WHERE kind = 'appointment' AND status IN ('pending_confirm', 'confirmed');

-- A call holds one place at a time. A hold that has run out stands here until
-- the agent's next one is written.
CREATE TABLE holds (
    tenant_id    {id}    NOT NULL REFERENCES tenants (id),
    live         BOOLEAN NOT NULL,
    call_id      {id}    NOT NULL,
    agent_id     {id}    NOT NULL,
    scheduled_at TEXT    NOT NULL,
    service_id   TEXT    NOT NULL,
    party        INTEGER NOT NULL,
    minutes      INTEGER NOT NULL,
    until        BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, live, call_id)
);
CREATE INDEX holds_by_agent ON holds (tenant_id, live, agent_id, until);
