ALTER TABLE customers FORCE ROW LEVEL SECURITY;

-- As before addresses were folded.
CREATE OR REPLACE FUNCTION app.touch() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(OLD.updated_at, clock_timestamp());
  RETURN NEW;
END $$;
