CREATE INDEX CONCURRENTLY quotes_by_customer_name ON quotes (organization_id, app.fold_text(customer_name), id)
  INCLUDE (status) WHERE deleted_at IS NULL AND superseded_by IS NULL;
