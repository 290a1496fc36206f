-- Those that have not ended, all of which end with the connection.
CREATE INDEX CONCURRENTLY "sessions_of_connection_idx" ON "sessions"("connection_id") WHERE "connection_id" IS NOT NULL AND "revoked_at" IS NULL;
