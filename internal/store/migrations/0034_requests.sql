-- Requests to the customer API that changed something or failed, for seven days.
-- request_id is the client's name of it and may come again. failed is 1 where status
-- is 400 or more, so that those are found without reading the others.
CREATE TABLE requests (
    tenant_id  {id}    NOT NULL REFERENCES tenants (id),
    live       BOOLEAN NOT NULL,
    id         {id}    NOT NULL,
    request_id TEXT    NOT NULL,
    at         BIGINT  NOT NULL,
    method     TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    status     INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    code       TEXT    NOT NULL,
    param      TEXT    NOT NULL,
    took       BIGINT  NOT NULL,
    key_id     {id}    NOT NULL,
    replayed   BOOLEAN NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
CREATE INDEX requests_by_request_id ON requests (tenant_id, live, request_id, id);
CREATE INDEX requests_by_failed ON requests (tenant_id, live, failed, id);
CREATE INDEX requests_by_method ON requests (tenant_id, live, method, id);
CREATE INDEX requests_by_failed_method ON requests (tenant_id, live, failed, method, id);
CREATE INDEX requests_by_time ON requests (at);
-- Those that failed by our own fault, for who runs the server.
CREATE INDEX requests_by_fault ON requests (at) WHERE status >= 500;
