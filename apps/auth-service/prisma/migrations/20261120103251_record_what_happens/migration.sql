-- AlterTable
ALTER TABLE "members" ADD COLUMN     "tokens_from" TIMESTAMPTZ(0);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "tokens_from" TIMESTAMPTZ(0);

-- CreateTable
CREATE TABLE "revocations" (
    "id" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "kind" TEXT NOT NULL,
    "sid" UUID,
    "sub" UUID NOT NULL,
    "organization" UUID,
    "issued_before" TIMESTAMPTZ(0),
    "until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "revocations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "revocations_kind_check" CHECK (
      "kind" = 'session' AND "sid" IS NOT NULL AND "organization" IS NULL AND "issued_before" IS NULL
      OR "kind" = 'member' AND "sid" IS NULL AND "organization" IS NOT NULL AND "issued_before" IS NOT NULL
      OR "kind" = 'user' AND "sid" IS NULL AND "organization" IS NULL AND "issued_before" IS NOT NULL)
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID,
    "organization" UUID,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "events_type_check" CHECK ("type" ~ '^[a-z]+\.[a-z-]+$')
);

-- CreateTable
CREATE TABLE "audit_events" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "actor_user_id" UUID,
    "action" TEXT NOT NULL,
    "target_type" TEXT,
    "target_id" TEXT,
    "ip_address" INET,
    "device" TEXT,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "audit_events_action_check" CHECK ("action" ~ '^[a-z-]+\.[a-z-]+$'),
    CONSTRAINT "audit_events_target_check" CHECK (("target_type" IS NULL) = ("target_id" IS NULL)),
    CONSTRAINT "audit_events_device_check" CHECK (char_length("device") <= 256),
    CONSTRAINT "audit_events_details_check" CHECK (jsonb_typeof("details") = 'object')
);

-- CreateTable
CREATE TABLE "mail_outbox" (
    "id" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "payload" BYTEA,
    "secret_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_outbox_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mail_outbox_recipient_check" CHECK (char_length("recipient") BETWEEN 3 AND 254),
    -- What was sent or given up keeps no token.
    CONSTRAINT "mail_outbox_payload_check" CHECK (("payload" IS NULL) = ("sent_at" IS NOT NULL OR "failed_at" IS NOT NULL)),
    CONSTRAINT "mail_outbox_end_check" CHECK ("sent_at" IS NULL OR "failed_at" IS NULL)
);

-- CreateIndex
CREATE INDEX "revocations_xid_idx" ON "revocations"("xid");

-- CreateIndex
CREATE INDEX "revocations_until_idx" ON "revocations"("until");

-- CreateIndex
CREATE INDEX "events_xid_idx" ON "events"("xid");

-- CreateIndex
CREATE INDEX "events_subject_id_idx" ON "events"("subject", "id");

-- CreateIndex
CREATE INDEX "events_user_id_idx" ON "events"("user_id");

-- CreateIndex
CREATE INDEX "events_organization_idx" ON "events"("organization");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE INDEX "mail_outbox_created_at_idx" ON "mail_outbox"("created_at");

-- What the worker looks for: letters that are due.
CREATE INDEX "mail_outbox_due_idx" ON "mail_outbox"("next_attempt_at") WHERE "payload" IS NOT NULL;

-- Wakes every instance at the commit. Lost where a pooler in transaction mode sits in between, so a poll lies beneath.
CREATE FUNCTION app.notify_feed() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM pg_notify('tenantry_auth', TG_TABLE_NAME);
  RETURN NULL;
END $$;

CREATE TRIGGER "revocations_notify" AFTER INSERT ON "revocations" FOR EACH STATEMENT EXECUTE FUNCTION app.notify_feed();
CREATE TRIGGER "events_notify" AFTER INSERT ON "events" FOR EACH STATEMENT EXECUTE FUNCTION app.notify_feed();
CREATE TRIGGER "mail_outbox_notify" AFTER INSERT ON "mail_outbox" FOR EACH STATEMENT EXECUTE FUNCTION app.notify_feed();

-- Until a transaction commits, tokens are still minted of what was true before it: issued_before must lie beyond the
-- commit, and it looks half a second ahead at the least. A transaction that took longer moves it on as it commits.
CREATE FUNCTION app.seal_revocation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  late interval := ceil(extract(epoch FROM clock_timestamp() - NEW.created_at) - 0.5) * INTERVAL '1 second';
BEGIN
  IF late > INTERVAL '0' THEN
    UPDATE public.revocations SET issued_before = issued_before + late, until = until + late WHERE id = NEW.id;
    IF NEW.kind = 'user' THEN
      UPDATE public.users SET tokens_from = greatest(tokens_from, NEW.issued_before + late) WHERE id = NEW.sub;
    ELSE
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization AND user_id = NEW.sub;
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "revocations_seal" AFTER INSERT ON "revocations" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.issued_before IS NOT NULL) EXECUTE FUNCTION app.seal_revocation();

-- The trail of an organization is read in it alone. A user acting in person adds to it as its member.
ALTER TABLE "audit_events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "audit_events" FORCE ROW LEVEL SECURITY;
CREATE POLICY "audit_events_organization" ON "audit_events"
  USING ("organization_id" = (SELECT app.current_organization_id()))
  WITH CHECK (
    "organization_id" = (SELECT scope.organization_id FROM app.current_scope() AS scope)
    OR "actor_user_id" = (SELECT scope.user_id FROM app.current_scope() AS scope)
  );

-- What the service may do, and nothing more: the audit trail is added to and read.
GRANT SELECT, INSERT, DELETE ON "revocations", "events" TO tenantry_auth_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON "mail_outbox" TO tenantry_auth_service;
GRANT SELECT, INSERT ON "audit_events" TO tenantry_auth_service;
GRANT USAGE ON SEQUENCE "revocations_id_seq", "events_id_seq" TO tenantry_auth_service;
GRANT UPDATE ("tokens_from") ON "members" TO tenantry_auth_service;
