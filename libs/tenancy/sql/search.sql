-- What a search looks for, as the policy of the role of searches reads it: a migration takes this file in before the policy and
-- the index. All conditions of one policy are of one level, so the index answers the term as soon as the organization; under the
-- runtime role it could not, because LIKE is not leakproof.
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;

-- What a folded text with a term in it is LIKE, whatever stands for its apostrophes, dashes and blanks. It narrows and no more: the
-- statement compares the whole term by itself. NULL without three letters or digits in a row, for which the whole index would be read.
CREATE OR REPLACE FUNCTION app.search_pattern(term text) RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (
  SELECT '%' || replace(app.loosen(regexp_replace(folded, '([%_\\])', '\\\1', 'g')), ' ', '_') || '%'
  FROM (SELECT left(app.fold_text(term), 32)) AS given (folded)
  WHERE folded ~ '[a-z0-9]{3}'
);

-- That of the search that runs.
CREATE OR REPLACE FUNCTION app.search_pattern() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  app.search_pattern(current_setting('app.search_term', true)),
  app.refuse('this search has no term with three letters or digits in a row')::text
);
