-- An accepted quote moves its lead: the history says which quote it was.
ALTER TABLE lead_status_changes ADD COLUMN quote_id uuid, ADD COLUMN quote_number text;
ALTER TABLE lead_status_changes ADD CONSTRAINT lead_status_changes_quote
  CHECK ((quote_id IS NULL) = (quote_number IS NULL) AND length(quote_number) <= 50) NOT VALID;
