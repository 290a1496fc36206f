CREATE INDEX CONCURRENTLY "connection_keys_due_at_idx" ON "connection_keys"("due_at");
