-- On PostgreSQL, the words of all transcripts that one statement deletes go with
-- one statement. Row by row, each would be planned over all partitions, or walk
-- through the plans of all of them.

{postgres
DROP TRIGGER transcripts_deleted ON transcripts;
DROP FUNCTION forget_call_words();
-- The settings keep it to the primary key: what it guesses of the rows that are
-- deleted, it guesses once.
CREATE FUNCTION forget_call_words() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    DELETE FROM call_words w USING deleted d
    WHERE w.tenant_id = d.tenant_id AND w.live = d.live AND w.call_id = d.call_id
        AND w.call_id >= (SELECT call_id FROM deleted ORDER BY call_id LIMIT 1)
        AND w.call_id <= (SELECT call_id FROM deleted ORDER BY call_id DESC LIMIT 1);
    RETURN NULL;
END
$$;
CREATE TRIGGER transcripts_deleted AFTER DELETE ON transcripts REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION forget_call_words();
postgres}
