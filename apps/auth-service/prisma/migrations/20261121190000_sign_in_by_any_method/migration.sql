-- A challenge keeps how the user has authenticated so far, whichever method that was.
ALTER TABLE "two_factor_challenges" ADD COLUMN     "amr" TEXT[] DEFAULT ARRAY['pwd']::TEXT[];
ALTER TABLE "two_factor_challenges" ALTER COLUMN "amr" SET NOT NULL;
ALTER TABLE "two_factor_challenges" ADD CONSTRAINT "two_factor_challenges_amr_check" CHECK (cardinality("amr") BETWEEN 1 AND 8);

-- A session names its factors, and knows no method by name.
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_factors_check";
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_factors_check" CHECK (cardinality("factors") BETWEEN 1 AND 8);
