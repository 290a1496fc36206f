-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "require_sso" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "left_domain" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "announced_to" UUID[] NOT NULL DEFAULT '{}';

GRANT UPDATE ("require_sso") ON "organizations" TO tenantry_auth_service;
GRANT UPDATE ("left_domain") ON "members" TO tenantry_auth_service;
