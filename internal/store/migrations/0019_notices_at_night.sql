-- When a notice was to be sent at first: due_at moves with every attempt. The
-- first claim writes it; until then due_at is it.
ALTER TABLE notices ADD COLUMN planned_at BIGINT;

-- The language that a customer is written to in, where somebody has said it.
ALTER TABLE captures ADD COLUMN language TEXT;
