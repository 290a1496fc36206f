-- Sign-ins that wait for a mailed code or link: nobody's rows until the address is proven.
CREATE TABLE "mailed_sign_ins" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "admission" TEXT,
    "code_hash" BYTEA NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "binding" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailed_sign_ins_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mailed_sign_ins_code_hash_check" CHECK (octet_length("code_hash") = 32),
    CONSTRAINT "mailed_sign_ins_token_digest_check" CHECK (octet_length("token_digest") = 32),
    CONSTRAINT "mailed_sign_ins_failures_check" CHECK ("failures" BETWEEN 0 AND 5),
    CONSTRAINT "mailed_sign_ins_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '10 minutes')
);

-- CreateIndex
CREATE INDEX "mailed_sign_ins_expires_at_idx" ON "mailed_sign_ins"("expires_at");

-- CreateIndex
CREATE INDEX "mailed_sign_ins_email_idx" ON "mailed_sign_ins"("email");

GRANT SELECT, INSERT, UPDATE, DELETE ON "mailed_sign_ins" TO tenantry_auth_service;
