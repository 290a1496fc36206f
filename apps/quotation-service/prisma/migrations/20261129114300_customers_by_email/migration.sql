-- Who has an address already.
CREATE INDEX CONCURRENTLY customers_by_email ON customers (organization_id, folded_email, id)
  WHERE erased_at IS NULL AND folded_email IS NOT NULL;
