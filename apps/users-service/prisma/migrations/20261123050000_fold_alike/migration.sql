-- The letters that every other search folds as well: þ, ŧ and the ς at the end of a word. Rows from before have these letters in
-- their search text still: queries look for both.
CREATE OR REPLACE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(
  translate(regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g'), 'łøđðħŧıς', 'loddhtiσ'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
