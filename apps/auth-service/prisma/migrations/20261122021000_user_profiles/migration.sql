-- AlterTable
ALTER TABLE "users" ADD COLUMN     "language" TEXT,
ADD COLUMN     "time_zone" TEXT;

ALTER TABLE "users" ADD CONSTRAINT "users_language_check" CHECK (char_length("language") BETWEEN 2 AND 64);
ALTER TABLE "users" ADD CONSTRAINT "users_time_zone_check" CHECK (char_length("time_zone") BETWEEN 1 AND 64);
