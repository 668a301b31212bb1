-- The bytes of documents, where they are kept in the database.

-- A row is one blob. Its key is NULL until all of its bytes are there, and again
-- once it is deleted or replaced: without a key nobody sees it, and its chunks
-- may be removed. stored_at is when it was begun, then when it became whole.
-- A key begins with the tenant and the mode of its owner. It is bytes, so that
-- both databases have the same order of them.
CREATE TABLE blobs (
    id         {id}    PRIMARY KEY,
    key        {bytes},
    size_bytes BIGINT  NOT NULL,
    stored_at  BIGINT  NOT NULL
);
CREATE UNIQUE INDEX blobs_by_key ON blobs (key) WHERE key IS NOT NULL;
CREATE INDEX blobs_without_key ON blobs (stored_at) WHERE key IS NULL;

CREATE TABLE blob_chunks (
    blob_id  {id}    NOT NULL REFERENCES blobs (id),
    position INTEGER NOT NULL,
    bytes    {bytes} NOT NULL,
    PRIMARY KEY (blob_id, position)
);
