-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mailed_tokens" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailed_tokens_pkey" PRIMARY KEY ("user_id","id"),
    CONSTRAINT "mailed_tokens_purpose_check" CHECK ("purpose" IN ('password-reset', 'email-verification', 'email-change')),
    CONSTRAINT "mailed_tokens_digest_check" CHECK (octet_length("digest") = 32),
    CONSTRAINT "mailed_tokens_expires_at_check" CHECK ("expires_at" > "created_at")
);

-- CreateTable
CREATE TABLE "sign_in_failures" (
    "email_hash" BYTEA NOT NULL,
    "device_hash" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    "locked_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("email_hash","device_hash"),
    CONSTRAINT "sign_in_failures_hashes_check" CHECK (octet_length("email_hash") = 32 AND octet_length("device_hash") IN (0, 32))
);

-- CreateTable
CREATE TABLE "known_devices" (
    "email_hash" BYTEA NOT NULL,
    "device_hash" BYTEA NOT NULL,
    "last_signed_in_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_devices_pkey" PRIMARY KEY ("email_hash","device_hash"),
    CONSTRAINT "known_devices_hashes_check" CHECK (octet_length("email_hash") = 32 AND octet_length("device_hash") = 32)
);

-- CreateIndex
CREATE INDEX "sign_in_failures_updated_at_idx" ON "sign_in_failures"("updated_at");

-- CreateIndex
CREATE INDEX "known_devices_last_signed_in_at_idx" ON "known_devices"("last_signed_in_at");

-- AddForeignKey
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A token is found in the scope of the user that it names.
ALTER TABLE "mailed_tokens" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "mailed_tokens" FORCE ROW LEVEL SECURITY;
CREATE POLICY "mailed_tokens_scope" ON "mailed_tokens"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

-- What the service does with them, and no more.
GRANT SELECT, INSERT, DELETE ON "mailed_tokens" TO tenantry_auth_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON "sign_in_failures", "known_devices" TO tenantry_auth_service;
