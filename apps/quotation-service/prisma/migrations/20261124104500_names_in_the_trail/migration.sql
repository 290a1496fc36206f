-- Entries keep what the actor and the row were called then, so that they can be read when both are gone. Rows of before, and
-- of a version that still runs, have neither.
ALTER TABLE audit_events ADD COLUMN actor_kind text, ADD COLUMN actor_name text, ADD COLUMN target_name text;
ALTER TABLE audit_events ADD CONSTRAINT audit_events_actor
  CHECK (actor_kind IN ('user', 'service-account', 'operator', 'job', 'customer')) NOT VALID;

-- What somebody or something was called can be forgotten, and be changed to nothing else.
CREATE FUNCTION app.forget_names_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NEW.actor_name IS NOT NULL AND NEW.actor_name IS DISTINCT FROM OLD.actor_name
    OR NEW.target_name IS NOT NULL AND NEW.target_name IS DISTINCT FROM OLD.target_name THEN
    RAISE insufficient_privilege USING MESSAGE = 'a name in the trail can be forgotten, and not be changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_events_names BEFORE UPDATE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION app.forget_names_alone();
GRANT UPDATE (actor_name, target_name) ON audit_events TO tenantry_quotation_service;
