-- With whom a held place is.
ALTER TABLE holds ADD COLUMN resource_id TEXT;
