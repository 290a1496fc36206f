-- What a session is bound to: the products of a device that has no name, and its networks of both families.
ALTER TABLE "sessions" ADD COLUMN     "device_products" TEXT,
ADD COLUMN     "other_ip_address" INET,
ADD CONSTRAINT "sessions_device_products_check" CHECK (char_length("device_products") <= 256),
ADD CONSTRAINT "sessions_other_ip_address_check" CHECK (family("other_ip_address") <> family("ip_address"));

-- As the service reads a User-Agent: without comments and versions. The owner of the table sees no row while policies
-- are forced upon it.
ALTER TABLE "sessions" NO FORCE ROW LEVEL SECURITY;
UPDATE "sessions" SET "device_products" = coalesce(
  nullif(btrim(regexp_replace(regexp_replace(regexp_replace(
    "user_agent", '\([^()]*\)', ' ', 'g'), '/\S*', '', 'g'), '\s+', ' ', 'g')), ''), "user_agent")
WHERE "user_agent" IS NOT NULL;
ALTER TABLE "sessions" FORCE ROW LEVEL SECURITY;
