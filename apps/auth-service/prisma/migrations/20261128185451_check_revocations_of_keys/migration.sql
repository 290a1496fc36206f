ALTER TABLE "revocations" VALIDATE CONSTRAINT "revocations_kind_check";
