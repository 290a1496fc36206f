ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_acr_check";
ALTER TABLE "two_factor" VALIDATE CONSTRAINT "two_factor_secret_check";
