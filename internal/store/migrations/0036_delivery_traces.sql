-- The span that a delivery goes on with, in the form of the traceparent header of W3C
-- Trace Context. NULL: traces were off when it was made. No row is rewritten.
ALTER TABLE deliveries ADD COLUMN trace TEXT;
