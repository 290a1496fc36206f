ALTER TABLE "connections" VALIDATE CONSTRAINT "connections_kind_check";
ALTER TABLE "connections" VALIDATE CONSTRAINT "connections_metadata_url_check";
ALTER TABLE "connection_keys" VALIDATE CONSTRAINT "connection_keys_mode_check";
