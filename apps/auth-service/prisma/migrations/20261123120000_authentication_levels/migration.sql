-- How surely a user authenticated. Empty in what the version before this one writes, whose factors say it.
ALTER TABLE "sessions" ADD COLUMN     "acr" TEXT;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_acr_check" CHECK ("acr" IN ('aal1', 'aal2')) NOT VALID;

-- Two-factor authentication may be on without an authenticator app.
ALTER TABLE "two_factor" ALTER COLUMN "encrypted_secret" DROP NOT NULL;
ALTER TABLE "two_factor" ALTER COLUMN "secret_id" DROP NOT NULL;
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_secret_check"
  CHECK (("encrypted_secret" IS NULL) = ("secret_id" IS NULL)) NOT VALID;
