-- AlterTable
ALTER TABLE "two_factor_challenges" ADD COLUMN     "flow_id" UUID;
