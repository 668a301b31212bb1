-- Which worker had deliveries of a connection last, and when. Other workers
-- leave the connection's deliveries to it while it is at work.
ALTER TABLE connections ADD COLUMN worker TEXT;
ALTER TABLE connections ADD COLUMN worked_at BIGINT;

-- Connections that were deleted and whose deliveries are still to be removed, a
-- few at a time: there may be more than one transaction can take.
CREATE TABLE deleted_connections (
    tenant_id {id}    NOT NULL REFERENCES tenants (id),
    live      BOOLEAN NOT NULL,
    id        {id}    NOT NULL,
    PRIMARY KEY (tenant_id, live, id)
);
