-- What callers wished beside, who called, and what of it is counted.

-- NULL in rows from before: such a capture was made by a call and never changed
-- since, its duration was not kept apart from what it takes; such a call was
-- counted, and what it brought in stands in its summary. So no row has to be
-- rewritten.
ALTER TABLE captures ADD COLUMN source TEXT;
ALTER TABLE captures ADD COLUMN notes TEXT;
ALTER TABLE captures ADD COLUMN topic TEXT;
ALTER TABLE captures ADD COLUMN urgency TEXT;
ALTER TABLE captures ADD COLUMN duration_minutes INTEGER;
ALTER TABLE captures ADD COLUMN resource_id TEXT;
ALTER TABLE captures ADD COLUMN resource TEXT;
ALTER TABLE captures ADD COLUMN updated_at BIGINT;

-- capture_ids are those of captures that the call made, moved or cancelled.
ALTER TABLE calls ADD COLUMN counted BOOLEAN;
ALTER TABLE calls ADD COLUMN caller TEXT;
ALTER TABLE calls ADD COLUMN number TEXT;
ALTER TABLE calls ADD COLUMN capture_ids TEXT;
