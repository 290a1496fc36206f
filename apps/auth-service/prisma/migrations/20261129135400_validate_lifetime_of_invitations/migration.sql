ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_lifetime_check";
