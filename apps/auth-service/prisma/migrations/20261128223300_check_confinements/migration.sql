ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_confinement_check";
ALTER TABLE "two_factor_challenges" VALIDATE CONSTRAINT "two_factor_challenges_confinement_check";
