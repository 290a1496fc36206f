-- What an organization's quotes say of it.
ALTER TABLE "organizations" ADD COLUMN     "address_city" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "address_country" TEXT,
ADD COLUMN     "address_lines" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "address_postal_code" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "time_zone" TEXT NOT NULL DEFAULT 'UTC',
ADD COLUMN     "vat_number" TEXT,
ADD CONSTRAINT "organizations_address_check" CHECK (
  cardinality("address_lines") <= 3
  AND ("address_country" IS NULL) = ("address_city" = '')
  AND ("address_country" IS NULL) = (cardinality("address_lines") = 0)
  AND ("address_country" ~ '^[A-Z]{2}$' OR "address_postal_code" = '')),
ADD CONSTRAINT "organizations_time_zone_check" CHECK (char_length("time_zone") BETWEEN 1 AND 64),
ADD CONSTRAINT "organizations_vat_number_check" CHECK ("vat_number" ~ '^[A-Z0-9]{4,20}$');

GRANT UPDATE ("time_zone", "address_lines", "address_postal_code", "address_city", "address_country", "vat_number")
  ON "organizations" TO tenantry_auth_service;
