-- The role that a member holds. Unknown of those that are there already: the events are read again.
ALTER TABLE "profiles" ADD COLUMN     "role" TEXT NOT NULL DEFAULT 'member';
