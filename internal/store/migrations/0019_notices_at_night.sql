-- The language that a customer is written to in, where somebody has said it. This
-- table first: who books takes them in this order.
ALTER TABLE captures ADD COLUMN language TEXT;

-- When a notice was to be sent at first: due_at moves with every attempt. The
-- first claim writes it; until then, and of what was tried before this column was
-- there, due_at is all that is known.
ALTER TABLE notices ADD COLUMN planned_at BIGINT;
