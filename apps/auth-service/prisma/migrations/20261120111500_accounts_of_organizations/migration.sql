-- AlterTable
ALTER TABLE "users" ADD COLUMN     "created_by_organization_id" UUID;

-- CreateTable
CREATE TABLE "internal_requests" (
    "key" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "internal_requests_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "internal_requests_key_check" CHECK (char_length("key") BETWEEN 1 AND 255),
    CONSTRAINT "internal_requests_digest_check" CHECK (octet_length("digest") = 32)
);

-- CreateIndex
CREATE INDEX "internal_requests_created_at_idx" ON "internal_requests"("created_at");

GRANT SELECT, INSERT, DELETE ON "internal_requests" TO tenantry_auth_service;
