-- Which worker had deliveries of a connection last, and when. Other workers
-- leave the connection's deliveries to it while it is at work.
ALTER TABLE connections ADD COLUMN worker TEXT;
ALTER TABLE connections ADD COLUMN worked_at BIGINT;
