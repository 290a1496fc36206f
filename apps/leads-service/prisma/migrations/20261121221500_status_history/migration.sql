-- Every move of a lead from status to status, from its creation on: who, when, from where, to where. It grows with the
-- leads and stays as long as they do.
CREATE TABLE lead_status_changes (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  lead_id uuid NOT NULL,
  from_status text,
  to_status text NOT NULL,
  actor_user_id uuid,
  changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, lead_id) REFERENCES leads (organization_id, id),
  CONSTRAINT lead_status_changes_from CHECK (from_status IN ('new', 'contacted', 'qualified', 'lost', 'won')),
  CONSTRAINT lead_status_changes_to CHECK (to_status IN ('new', 'contacted', 'qualified', 'lost', 'won'))
);
CREATE INDEX lead_status_changes_by_lead ON lead_status_changes (organization_id, lead_id, id);

-- How many leads entered each status, by quarter of an hour: every time zone in use begins its days on one. One row for
-- every write, summed when they are read, as with lead_counts.
CREATE TABLE lead_entry_counts (
  organization_id uuid NOT NULL,
  quarter timestamptz(0) NOT NULL,
  status text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  entered integer NOT NULL,
  PRIMARY KEY (organization_id, quarter, status, id) INCLUDE (entered)
);

CREATE FUNCTION app.count_lead_entries() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO lead_entry_counts (organization_id, quarter, status, entered)
  SELECT organization_id, date_bin('15 minutes', changed_at, '2000-01-01 00:00:00+00'), to_status, count(*)
  FROM added GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER count_entries AFTER INSERT ON lead_status_changes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_lead_entries();

-- One write in 16 sums the rows of its quarter up. It leaves out rows that another transaction is folding or has not
-- committed, so nobody waits, and the sum stays the same whatever is left out.
CREATE FUNCTION app.fold_lead_entry_counts() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  WITH pending AS (
    SELECT organization_id, quarter, status, id FROM lead_entry_counts
    WHERE (organization_id, quarter) IN (SELECT organization_id, quarter FROM added)
    FOR UPDATE SKIP LOCKED
  ), folded AS (
    DELETE FROM lead_entry_counts counts USING pending
    WHERE (counts.organization_id, counts.quarter, counts.status, counts.id)
      = (pending.organization_id, pending.quarter, pending.status, pending.id)
    RETURNING counts.organization_id, counts.quarter, counts.status, counts.entered
  )
  INSERT INTO lead_entry_counts (organization_id, quarter, status, entered)
  SELECT organization_id, quarter, status, sum(entered) FROM folded GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER fold_sometimes AFTER INSERT ON lead_entry_counts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() < 2 AND random() < 1.0 / 16)
  EXECUTE FUNCTION app.fold_lead_entry_counts();

-- Leads that are there already began as new when they were created; who moved them since is not known.
ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;
INSERT INTO lead_status_changes (organization_id, lead_id, to_status, changed_at)
SELECT organization_id, id, 'new', created_at FROM leads;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;

ALTER TABLE lead_status_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_status_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_status_changes
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE lead_entry_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_entry_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_entry_counts
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- The history is only ever added to.
GRANT SELECT, INSERT ON lead_status_changes TO tenantry_leads_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_entry_counts TO tenantry_leads_service;
