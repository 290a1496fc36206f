-- A number from a sequence is unique on one server: counts of an organization that moves would meet others' there.
-- The table is folded all the time, so it is small and soon rewritten.
ALTER TABLE lead_counts DROP CONSTRAINT lead_counts_pkey;
ALTER TABLE lead_counts DROP COLUMN id, ADD COLUMN id uuid NOT NULL DEFAULT uuidv7();
ALTER TABLE lead_counts ADD PRIMARY KEY (organization_id, status, id) INCLUDE (change);
