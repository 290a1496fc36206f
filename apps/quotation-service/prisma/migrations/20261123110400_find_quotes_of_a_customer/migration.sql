-- All of them, deleted and replaced ones as well, from which an erased customer is taken.
CREATE INDEX CONCURRENTLY quotes_of_customer ON quotes (organization_id, customer_id, id);
