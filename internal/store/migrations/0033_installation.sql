-- What tells this database from every other, and a known text that its master key
-- has sealed: who comes with another key finds out before anything is sealed or
-- opened with it. There is one row, written by the first process that has the key.
CREATE TABLE installation (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    id      {id}    NOT NULL,
    sealed  {bytes} NOT NULL,
    made_at BIGINT  NOT NULL
);
