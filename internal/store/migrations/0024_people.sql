-- The people of the console, the browsers they have entered in, the links that
-- let them in, and their passkeys. Of what proves who they are, hashes and
-- public keys alone are kept.

-- tenant_id is NULL of an operator. email_key is the address as it is compared;
-- NULL where none was given. Who is removed loses the rows of the other tables.
CREATE TABLE people (
    id           {id}   PRIMARY KEY,
    tenant_id    {id}   REFERENCES tenants (id),
    name         TEXT   NOT NULL,
    email        TEXT   NOT NULL,
    email_key    TEXT,
    role         TEXT   NOT NULL,
    language     TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT
);
CREATE INDEX people_by_tenant ON people (tenant_id, id);
CREATE UNIQUE INDEX people_by_email ON people (email_key, tenant_id);
CREATE UNIQUE INDEX operators_by_email ON people (email_key) WHERE tenant_id IS NULL;

CREATE TABLE console_sessions (
    id         {id}    PRIMARY KEY,
    person_id  {id}    NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    hash       {bytes} NOT NULL UNIQUE,
    browser    TEXT    NOT NULL,
    address    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    seen_at    BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX console_sessions_by_person ON console_sessions (person_id, id);
CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

CREATE TABLE console_links (
    hash       {bytes} PRIMARY KEY,
    person_id  {id}    NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    purpose    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX console_links_by_person ON console_links (person_id);
CREATE INDEX console_links_by_expiry ON console_links (expires_at);

-- data is what the library keeps of a credential: its public key and counter.
CREATE TABLE passkeys (
    id           {bytes} PRIMARY KEY,
    person_id    {id}    NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    data         {bytes} NOT NULL,
    created_at   BIGINT  NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX passkeys_by_person ON passkeys (person_id);

-- Challenges of passkeys that were answered, until they would have expired: each
-- is answered once.
CREATE TABLE passkey_challenges (
    hash       {bytes} PRIMARY KEY,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
