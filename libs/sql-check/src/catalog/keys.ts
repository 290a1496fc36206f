import { relations } from './relations.ts';

// Exclusion constraints are unique indexes of their own kind. A key of 0 is an expression.
const uniqueKeys = `${relations}
  SELECT format('key %s of %s does not begin with %s', i.indexrelid::regclass, s.name, s.owner) AS problem
  FROM scoped s JOIN pg_index i ON i.indrelid = s.oid AND (i.indisunique OR i.indisexclusion)
  WHERE i.indkey[0] <> s.attnum`;

// A key that is the owner alone may lead to the table of the owners themselves.
const foreignKeys = `${relations}
  SELECT CASE
    WHEN other.oid IS NULL THEN format('foreign key %s of %s leads to %s, which has no owner', k.conname, r.name, target.name)
    ELSE format('foreign key %s of %s does not begin with %s on both sides', k.conname, r.name, other.owner)
  END AS problem
  FROM pg_constraint k
  JOIN relation r ON r.oid = k.conrelid
  JOIN relation target ON target.oid = k.confrelid
  LEFT JOIN scoped own ON own.oid = k.conrelid
  LEFT JOIN scoped other ON other.oid = k.confrelid
  LEFT JOIN pg_attribute near ON near.attrelid = k.conrelid AND near.attnum = k.conkey[1]
  LEFT JOIN pg_attribute far ON far.attrelid = k.confrelid AND far.attnum = k.confkey[1]
  WHERE k.contype = 'f' AND (own.oid IS NOT NULL OR other.oid IS NOT NULL) AND (
    other.oid IS NULL AND k.conkey <> ARRAY[own.attnum]
    OR near.attname <> other.owner OR far.attname <> other.owner
    OR own.owner <> other.owner
  )`;

/** Whether keys stay within an owner: one that does not tells that another tenant's row exists. */
export const keys = [uniqueKeys, foreignKeys];
