-- An organization that was deleted, as it was, until it is purged: an operator can restore it until then. Its row in
-- "organizations" is gone, so that nothing else has to know of deleted ones.
-- CreateTable
CREATE TABLE "deleted_organizations" (
    "id" UUID NOT NULL,
    -- Its row; NULL where nobody is left to whom it could be given back.
    "organization" JSONB,
    "logo_media_type" TEXT,
    "logo" BYTEA,
    "deleted_by" UUID,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "purge_at" TIMESTAMPTZ(3) NOT NULL,
    -- Whether every former member's sessions go on elsewhere.
    "is_settled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "deleted_organizations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "deleted_organizations_logo_check" CHECK (("logo" IS NULL) = ("logo_media_type" IS NULL)),
    CONSTRAINT "deleted_organizations_purge_at_check" CHECK ("purge_at" >= "deleted_at")
);

-- CreateIndex
CREATE INDEX "deleted_organizations_purge_at_idx" ON "deleted_organizations"("purge_at");
CREATE INDEX "deleted_organizations_unsettled_idx" ON "deleted_organizations"("deleted_at") WHERE NOT "is_settled";

-- Who belonged to it. A user who is erased is in no list of former members.
-- CreateTable
CREATE TABLE "former_members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "was_disabled" BOOLEAN NOT NULL,
    "is_settled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "former_members_pkey" PRIMARY KEY ("organization_id","user_id"),
    CONSTRAINT "former_members_role_check" CHECK ("role" IN ('owner', 'admin', 'member'))
);

-- CreateIndex
CREATE INDEX "former_members_user_id_idx" ON "former_members"("user_id");

-- AddForeignKey
ALTER TABLE "former_members" ADD CONSTRAINT "former_members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "deleted_organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "former_members" ADD CONSTRAINT "former_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Listed by the operator and by maintenance, and changed in their own scope alone.
ALTER TABLE "deleted_organizations" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "deleted_organizations" FORCE ROW LEVEL SECURITY;
CREATE POLICY "deleted_organizations_read" ON "deleted_organizations" FOR SELECT USING (true);
CREATE POLICY "deleted_organizations_add" ON "deleted_organizations" FOR INSERT
  WITH CHECK ("id" = (SELECT app.current_organization_id()));
CREATE POLICY "deleted_organizations_change" ON "deleted_organizations" FOR UPDATE
  USING ("id" = (SELECT app.current_organization_id()))
  WITH CHECK ("id" = (SELECT app.current_organization_id()));
CREATE POLICY "deleted_organizations_delete" ON "deleted_organizations" FOR DELETE
  USING ("id" = (SELECT app.current_organization_id()));

ALTER TABLE "former_members" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "former_members" FORCE ROW LEVEL SECURITY;
CREATE POLICY "former_members_scope" ON "former_members"
  USING (
    "organization_id" = (SELECT app.organization_id_in_scope())
    OR "user_id" = (SELECT app.user_id_in_scope())
  )
  WITH CHECK ("organization_id" = (SELECT app.current_organization_id()));

-- Puts the row back as it was; columns that were added since take their defaults. NULL keeps the slug.
CREATE FUNCTION app.restore_organization("restored" uuid, "other_slug" text) RETURNS boolean
LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  kept jsonb;
  names text;
BEGIN
  SELECT d.organization || CASE WHEN other_slug IS NULL THEN '{}' ELSE jsonb_build_object('slug', other_slug) END
  INTO kept FROM public.deleted_organizations d WHERE d.id = restored;
  IF kept IS NULL THEN
    RETURN false;
  END IF;
  SELECT string_agg(quote_ident(a.attname), ', ') INTO names
  FROM pg_catalog.pg_attribute a
  WHERE a.attrelid = 'public.organizations'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND kept ? a.attname;
  EXECUTE format(
    'INSERT INTO public.organizations (%s) SELECT %s FROM jsonb_populate_record(NULL::public.organizations, $1)', names, names)
  USING kept;
  RETURN true;
END $$;

-- The service deletes from the trail of an organization that is to be purged, and from no other.
CREATE POLICY "audit_events_purged" ON "audit_events" AS RESTRICTIVE FOR DELETE TO tenantry_auth_service
  USING (EXISTS (
    SELECT FROM "deleted_organizations" d WHERE d."id" = "audit_events"."organization_id" AND d."purge_at" <= statement_timestamp()));

GRANT SELECT, INSERT, UPDATE, DELETE ON "deleted_organizations", "former_members" TO tenantry_auth_service;
GRANT DELETE ON "audit_events" TO tenantry_auth_service;
