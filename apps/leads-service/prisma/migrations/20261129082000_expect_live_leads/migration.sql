-- Until a table was analysed, PostgreSQL takes it that one row in 200 has a null. It would expect no live lead in a new database, and
-- read all leads of an organization for each address of the first import. Most leads are not deleted; what is measured replaces this.
SELECT pg_restore_attribute_stats(
  'schemaname', 'public', 'relname', 'leads', 'attname', 'deleted_at', 'inherited', false, 'null_frac', 0.9::real);
