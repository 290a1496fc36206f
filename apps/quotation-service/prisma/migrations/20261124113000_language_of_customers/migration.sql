-- In which language a customer's letters are; NULL where nobody has said.
ALTER TABLE customers ADD COLUMN language text;
ALTER TABLE customers ADD CONSTRAINT customers_language CHECK (language IN ('en', 'sv')) NOT VALID;

-- An erased customer has none, also where a version erases it that knows of no language.
CREATE FUNCTION app.forget_language() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  NEW.language := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_language BEFORE UPDATE ON customers
  FOR EACH ROW WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION app.forget_language();

-- When a person first opened the page of a link.
ALTER TABLE quote_links ADD COLUMN opened_at timestamptz(3);
GRANT UPDATE (opened_at) ON quote_links TO tenantry_quotation_service;
