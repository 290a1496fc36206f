-- What is inserted waits in a list, which each search reads as well; who fills it up to its limit empties it.
CREATE INDEX CONCURRENTLY profiles_by_trigrams ON profiles
  USING gin (organization_id, (replace(translate(search_text, 'ðŧς', 'dtσ'), 'þ', 'th')) gin_trgm_ops)
  WITH (gin_pending_list_limit = 1024);
