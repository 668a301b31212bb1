-- Rehearsals: conversations that try an agent out. draft is the agent as it is
-- tried, which need not be the one that stands in agents; NULL: it is no rehearsal.
ALTER TABLE conversations ADD COLUMN draft TEXT;

-- Who talks, without rehearsals: they take no place of a plan. Of conversations
-- there are those of a day, and of these the index has those that go on.
CREATE INDEX conversations_calling ON conversations (tenant_id, live, touched_at, lasted) WHERE ended_at IS NULL AND draft IS NULL;
DROP INDEX conversations_talking;
