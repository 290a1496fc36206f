-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "factors" TEXT[] DEFAULT ARRAY['pwd']::TEXT[];
ALTER TABLE "sessions" ALTER COLUMN "factors" SET NOT NULL;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_factors_check" CHECK ("factors" IN ('{pwd}', '{pwd,otp}', '{pwd,backup}'));

-- CreateTable
CREATE TABLE "two_factor" (
    "user_id" UUID NOT NULL,
    "encrypted_secret" BYTEA NOT NULL,
    "secret_id" TEXT NOT NULL,
    "enabled_at" TIMESTAMPTZ(3),
    "last_time_step" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "two_factor_pkey" PRIMARY KEY ("user_id"),
    -- Nonce and tag are 28 bytes, the secret in base32 is 32: a plain secret is too short to stand here.
    CONSTRAINT "two_factor_encrypted_secret_check" CHECK (octet_length("encrypted_secret") = 60),
    CONSTRAINT "two_factor_failures_check" CHECK ("failures" BETWEEN 0 AND 9)
);

-- CreateTable
CREATE TABLE "two_factor_backup_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "two_factor_backup_codes_pkey" PRIMARY KEY ("user_id","code_hash"),
    -- A SHA-256; a code has fewer bytes.
    CONSTRAINT "two_factor_backup_codes_code_hash_check" CHECK (octet_length("code_hash") = 32)
);

-- CreateTable
CREATE TABLE "two_factor_challenges" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "binding" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "two_factor_challenges_pkey" PRIMARY KEY ("user_id","id"),
    CONSTRAINT "two_factor_challenges_token_hash_check" CHECK (octet_length("token_hash") = 32),
    CONSTRAINT "two_factor_challenges_failures_check" CHECK ("failures" BETWEEN 0 AND 4),
    CONSTRAINT "two_factor_challenges_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '5 minutes')
);

-- AddForeignKey
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factor_backup_codes" ADD CONSTRAINT "two_factor_backup_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "two_factor"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factor_challenges" ADD CONSTRAINT "two_factor_challenges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each is seen by its user alone, and not by the owner of the table.
ALTER TABLE "two_factor" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "two_factor" FORCE ROW LEVEL SECURITY;
CREATE POLICY "two_factor_user" ON "two_factor"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

ALTER TABLE "two_factor_backup_codes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "two_factor_backup_codes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "two_factor_backup_codes_user" ON "two_factor_backup_codes"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

ALTER TABLE "two_factor_challenges" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "two_factor_challenges" FORCE ROW LEVEL SECURITY;
CREATE POLICY "two_factor_challenges_user" ON "two_factor_challenges"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

-- What the service does with them, and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "two_factor", "two_factor_backup_codes", "two_factor_challenges"
  TO tenantry_auth_service;
