-- The report of an import is kept under its Idempotency-Key: of a thousand rejected rows it is longer than 64 KiB.
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_body;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_body CHECK (octet_length(body) <= 1048576) NOT VALID;
