-- Text as search and order compare it, the same in every service: a migration takes this file in before the columns that are made of
-- it. `foldText` of libs/text folds alike.

-- One Punycode label of a domain, without its `xn--`, as people write it (RFC 3492, 6.2); NULL if it is none.
CREATE OR REPLACE FUNCTION app.decode_label(label text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  delimiter integer := length(label) - strpos(reverse(label), '-') + 1;
  written text := CASE WHEN strpos(label, '-') > 0 THEN left(label, delimiter - 1) ELSE '' END;
  at integer := CASE WHEN strpos(label, '-') > 0 THEN delimiter + 1 ELSE 1 END;
  point bigint := 128;
  place bigint := 0;
  bias integer := 72;
  k integer;
  threshold integer;
  digit integer;
  weight bigint;
  before bigint;
  delta bigint;
  points bigint;
BEGIN
  WHILE at <= length(label) LOOP
    before := place;
    weight := 1;
    k := 36;
    LOOP
      digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(label, at, 1)) - 1;
      at := at + 1;
      IF digit < 0 OR at > length(label) + 1 OR weight > 100000000 THEN
        RETURN NULL;
      END IF;
      place := place + digit * weight;
      threshold := greatest(1, least(26, k - bias));
      EXIT WHEN digit < threshold;
      weight := weight * (36 - threshold);
      k := k + 36;
    END LOOP;
    points := length(written) + 1;
    delta := (place - before) / CASE WHEN before = 0 THEN 700 ELSE 2 END;
    delta := delta + delta / points;
    k := 0;
    WHILE delta > 455 LOOP
      delta := delta / 35;
      k := k + 36;
    END LOOP;
    bias := k + 36 * delta / (delta + 38);
    point := point + place / points;
    place := place % points;
    IF point > 1114111 OR point BETWEEN 55296 AND 57343 THEN
      RETURN NULL;
    END IF;
    written := left(written, place::integer) || chr(point::integer) || substr(written, place::integer + 1);
    place := place + 1;
  END LOOP;
  RETURN written;
END $$;

-- An e-mail address at an international domain as people write it; NULL for any other text.
CREATE OR REPLACE FUNCTION app.written_address(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN $1 ~ '^[^@\s]+@([^@\s]+\.)?xn--[^@\s]+$' THEN (
  SELECT split_part($1, '@', 1) || '@' || string_agg(
    CASE WHEN label LIKE 'xn--%' THEN coalesce(app.decode_label(substr(label, 5)), label) ELSE label END, '.' ORDER BY n)
  FROM string_to_table(split_part($1, '@', 2), '.') WITH ORDINALITY AS labels (label, n)
) END;

-- Without case, accents and compatibility forms, also of letters that Unicode does not take apart. Apostrophes, dashes and quotation
-- marks are those of ASCII, a run of blanks is one blank, and what cannot be seen is left out. Forms that would make a text longer
-- by more than 64 bytes stay (U+FDFA is 18 letters), and all is composed in the end: the longest text fits into an index.
CREATE OR REPLACE FUNCTION app.fold_letters(text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- These would become a blank with an accent.
  marked text := translate($1, U&'`\00B4\0384\1FBD\1FBF\1FEF\1FFD\1FFE', repeat('''', 8));
  folded text := normalize(marked, NFD);
  compatible text := normalize(marked, NFKD);
BEGIN
  IF octet_length(compatible) <= octet_length(folded) + 64 THEN
    folded := compatible;
  END IF;
  folded := lower(regexp_replace(folded,
    '[\u00ad\u0300-\u036f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'));
  folded := translate(folded, 'łøđðħŧıς'
      || U&'`\2018\2019\201A\201B\2032\2035\02B9\02BB\02BC\02BD\02C8\02CA\02CB\055A\05F3\A78B\A78C'
      || U&'\201C\201D\201E\201F'
      || U&'\2010\2011\2012\2013\2014\2015\2212\2043\02D7\058A\05BE\1400\1806\2E17\2E1A\2E3A\2E3B\2E40\301C\3030\30A0',
    'loddhtiσ' || repeat('''', 18) || repeat('"', 4) || repeat('-', 21));
  folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  RETURN normalize(regexp_replace(folded, '[\t\n\v\f\r \u0085\u1680\u2028\u2029]+', ' ', 'g'), NFC);
END $$;

-- The same of plain text, which most is; an address at an international domain in both its forms. Not STRICT: what is strict and has
-- a CASE is called for each row, and not put in place of the call.
CREATE OR REPLACE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length($1) = length($1) AND $1 !~ '[`\t\n\v\f\r]|  |xn--' THEN lower($1)
  WHEN lower($1) !~ '@.*xn--' THEN app.fold_letters($1)
  ELSE app.fold_letters($1) || coalesce(' ' || app.fold_letters(app.written_address(lower($1))), '')
END;

-- The apostrophes, dashes and blanks of a folded text as one: people leave them out or take one for the other.
CREATE OR REPLACE FUNCTION app.loosen(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN translate(folded, '''-', '  ');

-- What a folded text is LIKE that holds a folded term, whatever stands for these; NULL for a term without them. It narrows and no
-- more: a statement compares the loosened texts.
CREATE OR REPLACE FUNCTION app.loose_pattern(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN folded ~ '[ ''-]'
  THEN '%' || replace(app.loosen(regexp_replace(folded, '([%_\\])', '\\\1', 'g')), ' ', '_') || '%' END;

-- The ways in which a term that a text begins with may be written.
CREATE OR REPLACE FUNCTION app.spellings(term text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT array_agg(DISTINCT spelling)
  FROM (SELECT app.fold_text(term)) AS given (folded),
    LATERAL (VALUES (folded), (app.loosen(folded)), (translate(folded, ' -', '''''')), (translate(folded, ' ''', '--')))
      AS ways (spelling)
);

-- What a folded text with a term in it is LIKE, whatever stands for its apostrophes, dashes and blanks. It narrows and no more: the
-- statement compares the whole term by itself. NULL without three letters or digits in a row, for which the whole index would be read.
CREATE OR REPLACE FUNCTION app.search_pattern(term text) RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (
  SELECT '%' || replace(app.loosen(regexp_replace(folded, '([%_\\])', '\\\1', 'g')), ' ', '_') || '%'
  FROM (SELECT left(app.fold_text(term), 32)) AS given (folded)
  WHERE folded ~ '[a-z0-9]{3}'
);

-- The next migration folds texts again, which is no change of a row.
CREATE OR REPLACE FUNCTION app.touch_lead() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('app.refolding', true) = 'on' THEN
    RETURN NEW;
  END IF;
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(clock_timestamp(), OLD.updated_at);
  RETURN NEW;
END $$;

-- The next migration folds the texts of all organizations as the owner, who sees all rows until the one after it.
ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;
