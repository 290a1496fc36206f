-- The refresh tokens before the current one, newest first: what is shown again is compared with what was given out.
ALTER TABLE "sessions" ADD COLUMN     "refresh_former_hashes" BYTEA[] NOT NULL DEFAULT '{}',
ADD CONSTRAINT "sessions_refresh_former_hashes_check" CHECK (cardinality("refresh_former_hashes") <= 2);
