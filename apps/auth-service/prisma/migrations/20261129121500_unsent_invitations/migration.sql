-- AlterTable
ALTER TABLE "invitations" ADD COLUMN "is_sent" BOOLEAN NOT NULL DEFAULT true;

-- One that an import has prepared waits longer for an owner to send it.
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_lifetime_check";
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + CASE WHEN "is_sent" THEN INTERVAL '168 hours' ELSE INTERVAL '720 hours' END) NOT VALID;
