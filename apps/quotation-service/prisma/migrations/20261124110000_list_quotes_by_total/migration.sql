-- An order by what changes with every line of a draft: its row is written to every index of the table then. Lists in these
-- orders, in which people look for quotes, are worth it.
CREATE INDEX CONCURRENTLY quotes_by_total ON quotes (organization_id, total_amount, id)
  INCLUDE (status) WHERE deleted_at IS NULL AND superseded_by IS NULL;
