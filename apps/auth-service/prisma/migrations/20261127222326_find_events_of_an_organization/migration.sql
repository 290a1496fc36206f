-- What one organization has yet to be told of is read in the order of ids.
CREATE INDEX CONCURRENTLY "events_organization_id_idx" ON "events"("organization", "id");
