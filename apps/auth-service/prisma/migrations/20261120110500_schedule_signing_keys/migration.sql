-- Which key signs follows from the time alone: the last whose not_before has come. Keys are made and removed under an
-- advisory lock, so no index needs to keep two from signing at once.
DROP INDEX "signing_keys_active_key";
ALTER TABLE "signing_keys" DROP COLUMN "state", DROP COLUMN "retired_at";

GRANT DELETE ON "signing_keys" TO tenantry_auth_service;

-- A key that is withdrawn is forgotten by every instance at once.
CREATE TRIGGER "signing_keys_notify" AFTER INSERT OR UPDATE OR DELETE ON "signing_keys"
  FOR EACH STATEMENT EXECUTE FUNCTION app.notify_feed();
