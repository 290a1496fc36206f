-- Where a customer is, in lines, and its VAT number; NULL where nobody has said. Quotes have them as they have its name.
ALTER TABLE customers ADD COLUMN address text, ADD COLUMN vat_number text, ADD COLUMN folded_email text;
ALTER TABLE customers ADD CONSTRAINT customers_address_length CHECK (char_length(address) BETWEEN 1 AND 400) NOT VALID;
ALTER TABLE customers ADD CONSTRAINT customers_vat_number_length CHECK (char_length(vat_number) BETWEEN 1 AND 30) NOT VALID;
ALTER TABLE customers ADD CONSTRAINT customers_erased_whole
  CHECK (erased_at IS NULL OR (address IS NULL AND vat_number IS NULL)) NOT VALID;
ALTER TABLE quotes ADD COLUMN customer_address text, ADD COLUMN customer_vat_number text;

-- An erased customer has none, also where a version erases it that knows of less.
CREATE OR REPLACE FUNCTION app.forget_language() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  NEW.language := NULL;
  NEW.address := NULL;
  NEW.vat_number := NULL;
  RETURN NEW;
END $$;

CREATE FUNCTION app.forget_address() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF app.is_of_erased_customer(NEW.organization_id, NEW.id) THEN
    NEW.customer_address := NULL;
    NEW.customer_vat_number := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_address BEFORE UPDATE OF customer_name ON quotes FOR EACH ROW
  WHEN (NEW.customer_name = '' AND (NEW.customer_address IS NOT NULL OR NEW.customer_vat_number IS NOT NULL))
  EXECUTE FUNCTION app.forget_address();

-- What a customer is found by. A generated column cannot take in another column without a new copy of its table: a trigger writes it,
-- after the one by which an erased customer forgets.
-- At most 600 characters: an index takes no more bytes.
ALTER TABLE customers ALTER COLUMN search_text DROP EXPRESSION;
ALTER TABLE customers ALTER COLUMN search_text SET DEFAULT '';
CREATE FUNCTION app.fold_customer() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  NEW.folded_email := app.fold_text(NEW.email);
  NEW.search_text := left(concat_ws(E'\n', app.fold_text(NEW.name), coalesce(NEW.folded_email, ''),
    app.fold_text(NEW.vat_number), app.fold_text(NEW.address)), 600);
  RETURN NEW;
END $$;
CREATE TRIGGER search_text BEFORE INSERT OR UPDATE OF name, email, vat_number, address ON customers
  FOR EACH ROW EXECUTE FUNCTION app.fold_customer();

-- A name as Swedish orders it: å, ä and ö behind z, where these characters are; æ and ø as ä and ö.
CREATE FUNCTION app.swedish_order(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN app.fold_text(translate(normalize(name, NFC), 'åÅäÄæÆöÖøØ', '{{||||}}}}'));

-- The next migration folds e-mail addresses, which is no change of a row.
CREATE OR REPLACE FUNCTION app.touch() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('app.refolding', true) = 'on' THEN
    RETURN NEW;
  END IF;
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(OLD.updated_at, clock_timestamp());
  RETURN NEW;
END $$;

-- It does so for all organizations as the owner, who sees all rows until the one after it.
ALTER TABLE customers NO FORCE ROW LEVEL SECURITY;
