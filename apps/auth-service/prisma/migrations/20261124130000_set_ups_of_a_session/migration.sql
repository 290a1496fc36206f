-- The session that began a set-up. Empty in what the version before this one writes.
ALTER TABLE "two_factor" ADD COLUMN     "begun_by" UUID;
