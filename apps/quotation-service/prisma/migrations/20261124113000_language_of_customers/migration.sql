-- In which language a customer's letters are; NULL where nobody has said.
ALTER TABLE customers ADD COLUMN language text;
ALTER TABLE customers ADD CONSTRAINT customers_language CHECK (language IN ('en', 'sv')) NOT VALID;
ALTER TABLE customers ADD CONSTRAINT customers_erased_language CHECK (erased_at IS NULL OR language IS NULL) NOT VALID;

-- When a person first opened the page of a link.
ALTER TABLE quote_links ADD COLUMN opened_at timestamptz(3);
GRANT UPDATE (opened_at) ON quote_links TO tenantry_quotation_service;
