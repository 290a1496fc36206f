-- What a user does with the own account, as that user reads it; every organization of the user has a copy in its trail.
CREATE TABLE "user_audit_events" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "action" TEXT NOT NULL,
    "target_type" TEXT,
    "target_id" TEXT,
    "ip_address" INET,
    "device" TEXT,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "user_audit_events_pkey" PRIMARY KEY ("user_id","id"),
    CONSTRAINT "user_audit_events_action_check" CHECK ("action" ~ '^[a-z-]+\.[a-z-]+$'),
    CONSTRAINT "user_audit_events_target_check" CHECK (("target_type" IS NULL) = ("target_id" IS NULL)),
    CONSTRAINT "user_audit_events_device_check" CHECK (char_length("device") <= 256),
    CONSTRAINT "user_audit_events_details_check" CHECK (jsonb_typeof("details") = 'object')
);

-- CreateIndex
CREATE INDEX "user_audit_events_user_id_action_id_idx" ON "user_audit_events"("user_id", "action", "id");

-- CreateIndex
CREATE INDEX "user_audit_events_created_at_idx" ON "user_audit_events"("created_at");

-- AddForeignKey
ALTER TABLE "user_audit_events" ADD CONSTRAINT "user_audit_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The filters of an organization's trail.
-- CreateIndex
CREATE INDEX "audit_events_organization_id_action_id_idx" ON "audit_events"("organization_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_actor_user_id_id_idx" ON "audit_events"("organization_id", "actor_user_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_target_id_id_idx" ON "audit_events"("organization_id", "target_id", "id");

-- What was recorded so far went to the organization that was active.
ALTER TABLE "audit_events" NO FORCE ROW LEVEL SECURITY;
INSERT INTO "user_audit_events" ("user_id", "id", "action", "target_type", "target_id", "ip_address", "device", "details", "created_at")
SELECT a."actor_user_id", a."id", a."action", a."target_type", a."target_id", a."ip_address", a."device", a."details", a."created_at"
FROM "audit_events" a JOIN "users" u ON u."id" = a."actor_user_id"
WHERE split_part(a."action", '.', 1) IN ('session', 'sessions', 'account', 'password', 'email', 'two-factor');
ALTER TABLE "audit_events" FORCE ROW LEVEL SECURITY;

ALTER TABLE "user_audit_events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "user_audit_events" FORCE ROW LEVEL SECURITY;
CREATE POLICY "user_audit_events_user" ON "user_audit_events"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));
CREATE POLICY "user_audit_events_over" ON "user_audit_events" TO CURRENT_USER
  USING ("created_at" < statement_timestamp() - INTERVAL '30 days');

CREATE FUNCTION app.sweep_user_audit_events("retention_days" integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.user_audit_events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.user_audit_events
    WHERE created_at < statement_timestamp() - make_interval(days => greatest(retention_days, 30))
    ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;

GRANT SELECT, INSERT ON "user_audit_events" TO tenantry_auth_service;
