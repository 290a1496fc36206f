-- Users as a directory lists them, told by auth-service alone. There have been no profiles so far.

-- Text as search compares it: without case and accents, also of the letters that no accent makes.
CREATE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(
  translate(regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g'), 'łøđðħı', 'loddhi'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');

DROP TABLE profiles;
CREATE TABLE profiles (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL,
  -- The name as the account has it, and which end of it is the family name, where somebody has said so.
  name text NOT NULL,
  family_name text,
  -- The same in two parts.
  first_name text NOT NULL,
  last_name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- When the user joined the organization.
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- A search term is one line: it never matches across name and e-mail address.
  search_text text NOT NULL GENERATED ALWAYS AS (app.fold_text(name) || E'\n' || app.fold_text(email)) STORED,
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT profiles_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  CONSTRAINT profiles_first_name_length CHECK (char_length(first_name) <= 50),
  CONSTRAINT profiles_last_name_length CHECK (char_length(last_name) <= 50)
);
-- Each order of the list, and any search in it, is read from its index alone; names are in the order of search_text.
CREATE INDEX profiles_by_name ON profiles (organization_id, search_text, user_id);
CREATE INDEX profiles_by_email ON profiles (organization_id, email, user_id) INCLUDE (search_text);
CREATE INDEX profiles_by_creation ON profiles (organization_id, created_at, user_id) INCLUDE (search_text);
ALTER TABLE profiles SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profiles
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
GRANT SELECT, INSERT, UPDATE, DELETE ON profiles TO tenantry_users_service;

-- What a service has read of the events of auth-service. Both tables name ids alone, and belong to no organization: the
-- reader is in none, and applies each event within the organization that it names.
-- One row: where the reader stands. Nothing is known of `cursor` NULL, so it begins anew, in the next round.
CREATE TABLE event_reader (
  name text NOT NULL PRIMARY KEY,
  cursor text,
  round integer NOT NULL DEFAULT 1,
  -- Whether everything that there was has been read since the round began.
  is_complete boolean NOT NULL DEFAULT false
);
INSERT INTO event_reader (name) VALUES ('auth');

-- Of whom there were events, and in which round: who is not told of again by its end is gone.
CREATE TABLE event_subjects (
  organization_id uuid NOT NULL,
  -- A member's user id, or the organization's own.
  subject_id uuid NOT NULL,
  round integer NOT NULL,
  PRIMARY KEY (organization_id, subject_id)
);
CREATE INDEX event_subjects_by_round ON event_subjects (round);

GRANT SELECT, UPDATE ON event_reader TO tenantry_users_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects TO tenantry_users_service;
