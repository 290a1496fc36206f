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

-- Text as search compares it: without case and accents. Immutable, and needs no extension.
CREATE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g');

CREATE TABLE leads (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  email text NOT NULL,
  phone text,
  status text NOT NULL DEFAULT 'new',
  source text,
  notes text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  search_text text NOT NULL GENERATED ALWAYS AS (app.fold_text(name) || E'\n' || app.fold_text(email)) STORED,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT leads_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT leads_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  CONSTRAINT leads_phone_length CHECK (char_length(phone) BETWEEN 1 AND 20),
  CONSTRAINT leads_source_length CHECK (char_length(source) BETWEEN 1 AND 50),
  CONSTRAINT leads_notes_length CHECK (char_length(notes) BETWEEN 1 AND 2000),
  CONSTRAINT leads_status CHECK (status IN ('new', 'contacted', 'qualified', 'lost', 'won'))
);

-- The list in either order, and any search in it, are read from this index alone.
CREATE INDEX leads_by_creation ON leads (organization_id, created_at, id)
  INCLUDE (status, search_text) WHERE deleted_at IS NULL;
-- The list of one status.
CREATE INDEX leads_by_status ON leads (organization_id, status, created_at, id) WHERE deleted_at IS NULL;
-- The folded name first, so that the order of names knows neither case nor accents.
CREATE INDEX leads_by_name ON leads (organization_id, search_text, id)
  INCLUDE (status) WHERE deleted_at IS NULL;
-- Leads with the same e-mail address.
CREATE INDEX leads_by_email ON leads (organization_id, lower(email)) WHERE deleted_at IS NULL;

-- Whoever changes a lead: its version, of which entity tags are made, and its time of change follow.
CREATE FUNCTION app.touch_lead() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER touch BEFORE UPDATE ON leads FOR EACH ROW EXECUTE FUNCTION app.touch_lead();

-- Exact live counts per status: one row for every change, summed when they are read. No two writers wait for each
-- other, and whoever sees a lead sees its count, because both come with the same transaction.
CREATE TABLE lead_counts (
  organization_id uuid NOT NULL,
  status text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  change integer NOT NULL,
  PRIMARY KEY (organization_id, status, id) INCLUDE (change)
);

CREATE FUNCTION app.count_leads() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO lead_counts (organization_id, status, change)
    SELECT organization_id, status, count(*) FROM added WHERE deleted_at IS NULL GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO lead_counts (organization_id, status, change)
    SELECT organization_id, status, -count(*) FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2;
  ELSE
    INSERT INTO lead_counts (organization_id, status, change)
    SELECT organization_id, status, sum(change)
    FROM (
      SELECT organization_id, status, 1 AS change FROM added WHERE deleted_at IS NULL
      UNION ALL
      SELECT organization_id, status, -1 FROM removed WHERE deleted_at IS NULL
    ) AS changes
    GROUP BY 1, 2 HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_leads();
CREATE TRIGGER count_changed AFTER UPDATE ON leads REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_leads();
CREATE TRIGGER count_removed AFTER DELETE ON leads REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_leads();

-- One write in 64 sums the changes of its organization up into a row per status. It leaves out rows that another
-- transaction is folding or has not committed, so nobody waits, and the sum stays the same whatever is left out.
CREATE FUNCTION app.fold_lead_counts() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  WITH pending AS (
    SELECT organization_id, status, id FROM lead_counts
    WHERE organization_id IN (SELECT organization_id FROM added)
    FOR UPDATE SKIP LOCKED
  ), folded AS (
    DELETE FROM lead_counts counts USING pending
    WHERE (counts.organization_id, counts.status, counts.id) = (pending.organization_id, pending.status, pending.id)
    RETURNING counts.organization_id, counts.status, counts.change
  )
  INSERT INTO lead_counts (organization_id, status, change)
  SELECT organization_id, status, sum(change) FROM folded GROUP BY 1, 2 HAVING sum(change) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER fold_sometimes AFTER INSERT ON lead_counts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() < 2 AND random() < 1.0 / 64)
  EXECUTE FUNCTION app.fold_lead_counts();

-- Index-only scans live on a fresh visibility map.
ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE lead_counts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

ALTER TABLE leads ENABLE ROW LEVEL SECURITY;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON leads
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE lead_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_counts
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- Leads are never deleted by the service, only marked; the counts are folded by its own transactions.
GRANT USAGE ON SCHEMA app TO tenantry_leads_service;
GRANT SELECT, INSERT, UPDATE ON leads TO tenantry_leads_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_counts TO tenantry_leads_service;
