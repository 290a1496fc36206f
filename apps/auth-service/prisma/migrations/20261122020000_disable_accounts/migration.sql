-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_by_organization_id" UUID;

-- Who disabled an account is known of disabled accounts alone.
ALTER TABLE "users" ADD CONSTRAINT "users_disabled_by_check"
  CHECK ("disabled_by_organization_id" IS NULL OR "disabled_at" IS NOT NULL);
