-- When somebody of the business saw to what a call left to do: who was to be put
-- through and was not. NULL: nobody has, or there was nothing. No row is rewritten.
ALTER TABLE calls ADD COLUMN done_at BIGINT;
