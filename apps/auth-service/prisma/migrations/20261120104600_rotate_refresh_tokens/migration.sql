-- AlterTable
-- Nobody knows what hashes to zeros: a session of before has no refresh token.
ALTER TABLE "sessions" ADD COLUMN     "refresh_generation" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "refresh_hash" BYTEA NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
ADD COLUMN     "refresh_rotated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "sessions" ALTER COLUMN "refresh_generation" DROP DEFAULT,
ALTER COLUMN "refresh_hash" DROP DEFAULT,
ALTER COLUMN "refresh_rotated_at" DROP DEFAULT;

-- A SHA-256; the token itself is longer.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_refresh_hash_check" CHECK (octet_length("refresh_hash") = 32);
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_refresh_generation_check" CHECK ("refresh_generation" >= 1);
