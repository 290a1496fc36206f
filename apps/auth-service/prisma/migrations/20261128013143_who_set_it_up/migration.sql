-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "set_on" TEXT;

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "added_on" TEXT;

-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "added_on" TEXT;

-- AlterTable
ALTER TABLE "two_factor" ADD COLUMN     "added_on" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "created_on" TEXT;
