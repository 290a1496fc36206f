-- AlterTable
ALTER TABLE "mailed_sign_ins" ADD COLUMN     "letter_of" UUID;
