-- Name and e-mail are searched each by itself, so that no term matches across the two. The old column is dropped with
-- the indexes that hold it.
ALTER TABLE leads DROP COLUMN search_text;
DROP INDEX leads_by_email;

-- Text as search and order compare it: without case and accents, and with the letters that Unicode does not take apart
-- spelled out. Immutable, and needs no extension.
CREATE OR REPLACE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(
  translate(regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g'), 'łøđðħŧıς', 'loddhtiσ'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

ALTER TABLE leads
  ADD COLUMN folded_name text NOT NULL GENERATED ALWAYS AS (app.fold_text(name)) STORED,
  ADD COLUMN folded_email text NOT NULL GENERATED ALWAYS AS (app.fold_text(email)) STORED,
  ADD COLUMN folded_source text GENERATED ALWAYS AS (app.fold_text(source)) STORED;

-- Newest first, any filter and any search are read from this index alone; with a filter, every order but that of names
-- sorts what it finds here.
CREATE INDEX leads_by_creation ON leads (organization_id, created_at, id)
  INCLUDE (status, folded_name, folded_email, folded_source, phone, updated_at) WHERE deleted_at IS NULL;
-- The order of names, filtered or not.
CREATE INDEX leads_by_name ON leads (organization_id, folded_name, id)
  INCLUDE (status, folded_email, folded_source, created_at) WHERE deleted_at IS NULL;
-- The other orders of the whole list; by e-mail, duplicates are found as well.
CREATE INDEX leads_by_email ON leads (organization_id, folded_email, id) WHERE deleted_at IS NULL;
CREATE INDEX leads_by_phone ON leads (organization_id, phone, id) WHERE deleted_at IS NULL;
CREATE INDEX leads_by_source ON leads (organization_id, folded_source, id) WHERE deleted_at IS NULL;
CREATE INDEX leads_by_change ON leads (organization_id, updated_at, id) WHERE deleted_at IS NULL;

-- Bumps version and updated_at. A transaction that waited for the lead began before the change that it waited for, so
-- its own time would go back.
CREATE OR REPLACE FUNCTION app.touch_lead() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(clock_timestamp(), OLD.updated_at);
  RETURN NEW;
END $$;
