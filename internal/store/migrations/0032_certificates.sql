-- Certificates that this server orders for its own names, one a name, for all
-- nodes. sealed is the private key and the chain; NULL: there is none yet.
-- ordering_until is until when one node has the order to itself, and attempts is how
-- often in a row it has failed.
CREATE TABLE certificates (
    domain         TEXT    PRIMARY KEY,
    directory      TEXT    NOT NULL,
    sealed         {bytes},
    issued_at      BIGINT,
    expires_at     BIGINT,
    ordering_until BIGINT  NOT NULL,
    attempts       INTEGER NOT NULL,
    retry_at       BIGINT  NOT NULL,
    failed_at      BIGINT,
    failure        TEXT    NOT NULL
);

-- Our account with each certificate authority: its private key, sealed.
CREATE TABLE certificate_accounts (
    directory  TEXT    PRIMARY KEY,
    sealed     {bytes} NOT NULL,
    created_at BIGINT  NOT NULL
);

-- What an authority asks for under a name while an order is under way. It may ask
-- any node, and each can make the answer from the account's key.
CREATE TABLE certificate_challenges (
    domain     TEXT   NOT NULL,
    token      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (domain, token)
);
