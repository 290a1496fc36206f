-- The session that goes on in place of one that was ended.
ALTER TABLE "sessions" ADD COLUMN     "continued_by" UUID;

-- An account that nobody has been able to sign in to yet.
ALTER TABLE "users" ADD COLUMN     "awaits_confirmation" BOOLEAN NOT NULL DEFAULT false;

-- How many letters have left, by recipient, sender and organization: all instances count together, and a restart forgets
-- nothing. Keys are hashes.
CREATE TABLE "mail_budgets" (
    "key" BYTEA NOT NULL,
    "letters" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_budgets_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "mail_budgets_key_check" CHECK (octet_length("key") = 32),
    CONSTRAINT "mail_budgets_letters_check" CHECK ("letters" >= 0)
);

-- CreateIndex
CREATE INDEX "mail_budgets_ends_at_idx" ON "mail_budgets"("ends_at");

GRANT SELECT, INSERT, UPDATE, DELETE ON "mail_budgets" TO tenantry_auth_service;

-- The first proof of an address forgets the password that was set before it.
GRANT DELETE ON "credentials" TO tenantry_auth_service;
