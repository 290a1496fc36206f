-- Ended sessions that no refresh token is redirected through are found by when they ended.
CREATE INDEX CONCURRENTLY "sessions_ended_idx" ON "sessions"("revoked_at") WHERE "revoked_at" IS NOT NULL AND "continued_by" IS NULL;
