-- CreateTable
CREATE TABLE "service_accounts" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "tokens_from" TIMESTAMPTZ(0),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "service_accounts_name_check" CHECK (char_length("name") BETWEEN 1 AND 100),
    CONSTRAINT "service_accounts_role_check" CHECK ("role" IN ('member', 'admin'))
);

-- CreateTable
CREATE TABLE "api_keys" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "ending" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(0),
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "api_keys_name_check" CHECK (char_length("name") BETWEEN 1 AND 100),
    CONSTRAINT "api_keys_digest_check" CHECK (octet_length("digest") = 32),
    CONSTRAINT "api_keys_ending_check" CHECK (char_length("ending") = 4),
    CONSTRAINT "api_keys_scope_check" CHECK (char_length("scope") BETWEEN 1 AND 300),
    -- A year, which may have a leap day.
    CONSTRAINT "api_keys_expires_at_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '367 days')
);

-- CreateIndex
CREATE INDEX "api_keys_organization_id_account_id_idx" ON "api_keys"("organization_id", "account_id");

-- CreateIndex
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys"("expires_at");

-- Those whose owners are still to be told.
CREATE INDEX "api_keys_unannounced_idx" ON "api_keys"("expires_at", "organization_id") WHERE "announced_at" IS NULL;

-- AddForeignKey
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "service_accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "service_accounts" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "service_accounts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "service_accounts" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "service_accounts"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "service_accounts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("name", "role", "tokens_from", "updated_at") ON "service_accounts" TO tenantry_auth_service;

-- Rows of "api_keys" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "api_keys" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "api_keys"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "api_keys" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("last_used_at", "announced_at") ON "api_keys" TO tenantry_auth_service;

-- Maintenance belongs to no organization. It calls functions that run as the owner of the table, to whom these policies show keys
-- that end soon, and let it delete those that ended a month ago.
CREATE POLICY "api_keys_ending" ON "api_keys" FOR SELECT TO CURRENT_USER
  USING ("expires_at" < statement_timestamp() + INTERVAL '14 days');
CREATE POLICY "api_keys_over" ON "api_keys" FOR DELETE TO CURRENT_USER
  USING ("expires_at" < statement_timestamp() - INTERVAL '30 days');

CREATE FUNCTION app.sweep_api_keys() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.organization_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.organization_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.api_keys WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.api_keys WHERE expires_at < statement_timestamp() - INTERVAL '30 days'
    ORDER BY expires_at LIMIT 1000));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.organization_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;

-- Some organizations whose owners are to be told that a key ends within 14 days.
CREATE FUNCTION app.organizations_with_ending_keys() RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.organization_id', true);
BEGIN
  PERFORM set_config('app.organization_id', '00000000-0000-0000-0000-000000000000', true);
  RETURN QUERY SELECT DISTINCT ending.organization_id FROM (
    SELECT k.organization_id FROM public.api_keys k
    WHERE k.announced_at IS NULL AND k.expires_at < statement_timestamp() + INTERVAL '14 days'
    ORDER BY k.expires_at LIMIT 100) AS ending;
  PERFORM set_config('app.organization_id', coalesce(scope, ''), true);
END $$;


-- The end of a key is one of a session. Those of one organization are counted, as those of one user are.
ALTER TABLE "revocations" DROP CONSTRAINT "revocations_kind_check";
ALTER TABLE "revocations" ADD CONSTRAINT "revocations_kind_check" CHECK (
  "kind" = 'session' AND "sid" IS NOT NULL AND "sub" IS NOT NULL AND "issued_before" IS NULL
  OR "kind" = 'member' AND "sid" IS NULL AND "sub" IS NOT NULL AND "organization" IS NOT NULL AND "issued_before" IS NOT NULL
  OR "kind" = 'user' AND "sid" IS NULL AND "sub" IS NOT NULL AND "organization" IS NULL AND "issued_before" IS NOT NULL
  OR "kind" = 'organization' AND "sid" IS NULL AND "sub" IS NULL AND "organization" IS NOT NULL AND "issued_before" IS NOT NULL
) NOT VALID;

-- Service accounts are revoked as members are, and with their organization.
CREATE OR REPLACE FUNCTION app.seal_revocation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  late interval := ceil(extract(epoch FROM clock_timestamp() - NEW.created_at) - 0.5) * INTERVAL '1 second';
  scope text := coalesce(current_setting('app.organization_id', true), '');
BEGIN
  IF late > INTERVAL '0' THEN
    UPDATE public.revocations SET issued_before = issued_before + late, until = until + late WHERE id = NEW.id;
    PERFORM set_config('app.organization_id', coalesce(NEW.organization::text, scope), true);
    IF NEW.kind = 'user' THEN
      UPDATE public.users SET tokens_from = greatest(tokens_from, NEW.issued_before + late) WHERE id = NEW.sub;
    ELSIF NEW.kind = 'organization' THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization;
      UPDATE public.service_accounts SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization;
    ELSIF NEW.kind = 'member' AND NOT NEW.within_organization THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization AND user_id = NEW.sub;
      UPDATE public.service_accounts SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization AND id = NEW.sub;
    END IF;
    PERFORM set_config('app.organization_id', scope, true);
  END IF;
  RETURN NULL;
END $$;
