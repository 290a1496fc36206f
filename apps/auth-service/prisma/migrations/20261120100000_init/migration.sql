-- The tenant of a query, as row-level policies read it. A service's first migration begins with this file.
-- A policy calls a function inside a sub-select, (SELECT app.current_organization_id()), so that it is evaluated
-- once per query. Outside of a scope every function raises: forgetting fails loudly and returns nobody's rows.
CREATE SCHEMA app;

-- The organization in whose name the query runs.
CREATE FUNCTION app.current_organization_id() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
DECLARE
  id text := current_setting('app.organization_id', true);
BEGIN
  -- NULL on a fresh connection, '' once a setting of a transaction has ended.
  IF id IS NULL OR id = '' THEN
    RAISE insufficient_privilege USING MESSAGE = 'no organization is set for this query';
  END IF;
  RETURN id::uuid;
END $$;

-- The user in whose name the query runs.
CREATE FUNCTION app.current_user_id() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
DECLARE
  id text := current_setting('app.user_id', true);
BEGIN
  IF id IS NULL OR id = '' THEN
    RAISE insufficient_privilege USING MESSAGE = 'no user is set for this query';
  END IF;
  RETURN id::uuid;
END $$;

-- For rows that belong to an organization and to a user alike: either may be absent, not both.
CREATE FUNCTION app.current_scope(OUT organization_id uuid, OUT user_id uuid)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
BEGIN
  organization_id := nullif(current_setting('app.organization_id', true), '')::uuid;
  user_id := nullif(current_setting('app.user_id', true), '')::uuid;
  IF organization_id IS NULL AND user_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'neither an organization nor a user is set for this query';
  END IF;
END $$;

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "last_organization_id" UUID,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "users_email_check" CHECK (char_length("email") BETWEEN 3 AND 254 AND "email" = lower(btrim("email"))),
    CONSTRAINT "users_name_check" CHECK (char_length("name") BETWEEN 1 AND 100)
);

-- CreateTable
CREATE TABLE "credentials" (
    "user_id" UUID NOT NULL,
    "password_hash" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("user_id"),
    -- Scheme, pepper version, hash: a plain password can never stand here.
    CONSTRAINT "credentials_password_hash_check" CHECK ("password_hash" ~ '^[a-z0-9-]+:[A-Za-z0-9_-]+:.{20,}$')
);

-- CreateTable
CREATE TABLE "sessions" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "active_organization_id" UUID,
    "device_id" TEXT,
    "user_agent" TEXT,
    "ip_address" INET,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_active_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("user_id","id"),
    CONSTRAINT "sessions_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '168 hours'),
    CONSTRAINT "sessions_device_id_check" CHECK (char_length("device_id") BETWEEN 1 AND 128),
    CONSTRAINT "sessions_user_agent_check" CHECK (char_length("user_agent") BETWEEN 1 AND 256)
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id"),
    -- The name that a user gives has 100 characters at most; a personal organization adds "'s organization".
    CONSTRAINT "organizations_name_check" CHECK (char_length("name") BETWEEN 1 AND 120),
    CONSTRAINT "organizations_slug_check" CHECK ("slug" ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$')
);

-- CreateTable
CREATE TABLE "members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("organization_id","user_id"),
    CONSTRAINT "members_role_check" CHECK ("role" IN ('owner', 'admin', 'member'))
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "encrypted_private_key" BYTEA NOT NULL,
    "secret_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "not_before" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "signing_keys_algorithm_check" CHECK ("algorithm" = 'ES256'),
    CONSTRAINT "signing_keys_public_jwk_check" CHECK (NOT "public_jwk" ? 'd'),
    CONSTRAINT "signing_keys_state_check" CHECK ("state" IN ('next', 'active', 'retired')),
    CONSTRAINT "signing_keys_retired_at_check" CHECK (("state" = 'retired') = ("retired_at" IS NOT NULL))
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "organizations_slug_key" ON "organizations"("slug");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- One key signs at a time, however many instances start at once on an empty table.
CREATE UNIQUE INDEX "signing_keys_active_key" ON "signing_keys"("state") WHERE "state" = 'active';

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Members are seen from both sides, and changed from the organization's alone.
ALTER TABLE "members" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "members" FORCE ROW LEVEL SECURITY;
CREATE POLICY "members_scope" ON "members"
  USING (
    "organization_id" = (SELECT scope.organization_id FROM app.current_scope() AS scope)
    OR "user_id" = (SELECT scope.user_id FROM app.current_scope() AS scope)
  )
  WITH CHECK ("organization_id" = (SELECT app.current_organization_id()));

ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "sessions" FORCE ROW LEVEL SECURITY;
CREATE POLICY "sessions_scope" ON "sessions"
  USING ("user_id" = (SELECT app.current_user_id()))
  WITH CHECK ("user_id" = (SELECT app.current_user_id()));

-- What the service may do, and nothing more.
GRANT USAGE ON SCHEMA app TO tenantry_auth_service;
GRANT SELECT, INSERT, UPDATE ON "users", "credentials", "signing_keys" TO tenantry_auth_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON "sessions" TO tenantry_auth_service;
GRANT SELECT, INSERT ON "organizations", "members" TO tenantry_auth_service;
