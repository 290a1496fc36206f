-- AlterTable
ALTER TABLE "mailed_sign_ins" ADD COLUMN     "flow_id" UUID;

-- CreateTable
CREATE TABLE "sign_in_flows" (
    "id" UUID NOT NULL,
    "state_digest" BYTEA NOT NULL,
    "provider" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "redirect_to" TEXT NOT NULL,
    "binding" TEXT NOT NULL,
    "code_challenge" TEXT,
    "user_id" UUID,
    "encrypted_content" BYTEA NOT NULL,
    "secret_id" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "ticket_digest" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_flows_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sign_in_flows_intent_check" CHECK (("intent" = 'sign-in' AND "user_id" IS NULL) OR ("intent" = 'link' AND "user_id" IS NOT NULL)),
    CONSTRAINT "sign_in_flows_state_digest_check" CHECK (octet_length("state_digest") = 32),
    CONSTRAINT "sign_in_flows_ticket_digest_check" CHECK ("ticket_digest" IS NULL OR (octet_length("ticket_digest") = 32 AND "claimed_at" IS NOT NULL)),
    CONSTRAINT "sign_in_flows_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '30 minutes')
);

-- CreateTable
CREATE TABLE "identities" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "identities_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "identity_keys" (
    "key" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "identity_keys_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "identity_keys_key_check" CHECK (octet_length("key") = 32)
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_flows_state_digest_key" ON "sign_in_flows"("state_digest");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_flows_ticket_digest_key" ON "sign_in_flows"("ticket_digest");

-- CreateIndex
CREATE INDEX "sign_in_flows_user_id_idx" ON "sign_in_flows"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_flows_expires_at_idx" ON "sign_in_flows"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "identities_user_id_issuer_subject_key" ON "identities"("user_id", "issuer", "subject");

-- CreateIndex
CREATE INDEX "identity_keys_user_id_idx" ON "identity_keys"("user_id");

-- AddForeignKey
ALTER TABLE "sign_in_flows" ADD CONSTRAINT "sign_in_flows_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity_keys" ADD CONSTRAINT "identity_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each is seen by its user alone, and not by the owner of the table.
ALTER TABLE "identities" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "identities" FORCE ROW LEVEL SECURITY;
CREATE POLICY "identities_user" ON "identities"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

-- What the service does with them, and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "sign_in_flows", "identities" TO tenantry_auth_service;
GRANT SELECT, INSERT, DELETE ON "identity_keys" TO tenantry_auth_service;
