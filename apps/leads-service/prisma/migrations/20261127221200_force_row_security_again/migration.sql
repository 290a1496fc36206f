ALTER TABLE leads FORCE ROW LEVEL SECURITY;

-- As before the texts were folded again.
CREATE OR REPLACE FUNCTION app.touch_lead() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(clock_timestamp(), OLD.updated_at);
  RETURN NEW;
END $$;
