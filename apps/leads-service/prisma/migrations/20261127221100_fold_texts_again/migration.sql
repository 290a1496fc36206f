-- Texts that were folded otherwise: those with another apostrophe, dash, blank or compatibility form than ASCII's, and addresses at
-- international domains. No organization has this id: what triggers count stays the same.
SET LOCAL app.organization_id = '00000000-0000-0000-0000-000000000000';
SET LOCAL app.refolding = 'on';
-- safe: few rows have such texts, and no other is locked
UPDATE leads SET name = name, email = email, source = source
WHERE folded_name IS DISTINCT FROM app.fold_text(name)
  OR folded_email IS DISTINCT FROM app.fold_text(email)
  OR folded_source IS DISTINCT FROM app.fold_text(source);
