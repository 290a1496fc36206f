-- How many profiles an organization has. Profiles have one writer at a time, the reader of events, so a single row serves.
CREATE TABLE profile_counts (
  organization_id uuid NOT NULL,
  profiles integer NOT NULL,
  PRIMARY KEY (organization_id)
);

CREATE FUNCTION app.count_profiles() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO profile_counts AS counted (organization_id, profiles)
    SELECT organization_id, count(*) FROM changed GROUP BY 1
    ON CONFLICT (organization_id) DO UPDATE SET profiles = counted.profiles + excluded.profiles;
  ELSE
    UPDATE profile_counts AS counted SET profiles = counted.profiles - gone.profiles
    FROM (SELECT organization_id, count(*) AS profiles FROM changed GROUP BY 1) AS gone
    WHERE counted.organization_id = gone.organization_id;
    DELETE FROM profile_counts
    WHERE profiles = 0 AND organization_id IN (SELECT organization_id FROM changed);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON profiles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_profiles();
CREATE TRIGGER count_removed AFTER DELETE ON profiles REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_profiles();

ALTER TABLE profiles NO FORCE ROW LEVEL SECURITY;
INSERT INTO profile_counts (organization_id, profiles)
SELECT organization_id, count(*) FROM profiles GROUP BY 1;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;

ALTER TABLE profile_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE profile_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profile_counts
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
GRANT SELECT, INSERT, UPDATE, DELETE ON profile_counts TO tenantry_users_service;
