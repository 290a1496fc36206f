-- The list for those who read Swedish.
CREATE INDEX CONCURRENTLY customers_in_swedish ON customers (organization_id, app.swedish_order(name), id) WHERE erased_at IS NULL;
