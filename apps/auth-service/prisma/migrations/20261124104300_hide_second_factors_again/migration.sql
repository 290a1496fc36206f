-- On its own: it waits for those who use the tables, and they may wait for rows that the migration before it has locked.
DROP POLICY "two_factor_migration" ON "two_factor";
DROP POLICY "passkeys_migration" ON "passkeys";
