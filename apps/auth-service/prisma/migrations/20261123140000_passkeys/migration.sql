-- Public keys by which users sign in. The private halves never leave their authenticators.
CREATE TABLE "passkeys" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rp_id" TEXT NOT NULL,
    "backup_eligible" BOOLEAN NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("user_id","id"),
    CONSTRAINT "passkeys_credential_id_check" CHECK (octet_length("credential_id") BETWEEN 1 AND 1023),
    CONSTRAINT "passkeys_public_key_check" CHECK (octet_length("public_key") BETWEEN 32 AND 1024),
    CONSTRAINT "passkeys_counter_check" CHECK ("counter" BETWEEN 0 AND 4294967295),
    CONSTRAINT "passkeys_backed_up_check" CHECK ("backup_eligible" OR NOT "backed_up")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_user_id_credential_id_key" ON "passkeys"("user_id", "credential_id");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each is seen by its user alone, and not by the owner of the table.
ALTER TABLE "passkeys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "passkeys" FORCE ROW LEVEL SECURITY;
CREATE POLICY "passkeys_user" ON "passkeys"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON "passkeys" TO tenantry_auth_service;

-- Challenges that were answered, until they expire: each counts once. Nobody is named.
CREATE TABLE "used_passkey_challenges" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_passkey_challenges_pkey" PRIMARY KEY ("digest"),
    CONSTRAINT "used_passkey_challenges_digest_check" CHECK (octet_length("digest") = 32)
);

-- CreateIndex
CREATE INDEX "used_passkey_challenges_expires_at_idx" ON "used_passkey_challenges"("expires_at");

GRANT SELECT, INSERT, DELETE ON "used_passkey_challenges" TO tenantry_auth_service;
