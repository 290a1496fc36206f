-- The list, in which those that were erased are not.
CREATE INDEX CONCURRENTLY customers_kept ON customers (organization_id, search_text, id) WHERE erased_at IS NULL;
