-- Text as the search of members compares it, and as every other search does: without case and accents, and with the
-- letters that Unicode does not take apart spelled out.
CREATE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(
  translate(regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g'), 'łøđðħŧıς', 'loddhtiσ'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
