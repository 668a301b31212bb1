-- What a request with an idempotency key has begun that no transaction can hold:
-- a delivery that was sent. A request that is repeated after a crash finds it
-- here and does not send again.
ALTER TABLE idempotency_keys ADD COLUMN work {id};
