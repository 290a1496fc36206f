CREATE INDEX CONCURRENTLY "two_factor_challenges_of_connection_idx" ON "two_factor_challenges"("connection_id") WHERE "connection_id" IS NOT NULL;
