-- Text as search compares it: without case and accents. Immutable, and needs no extension. Composed in the end, so that
-- the longest text still fits into an index: decomposed, a Hangul syllable takes three times its room.
CREATE FUNCTION app.fold_text(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(translate(
  normalize(regexp_replace(normalize(lower($1), NFD), '[\u0300-\u036f]', '', 'g'), NFC),
  'łøđħı', 'lodhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');

-- Decimals of a currency's amounts, by ISO 4217. The same table as in libs/money; a test compares them.
CREATE FUNCTION app.minor_digits(currency text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
  WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF',
    'XPF') THEN 0
  WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
  ELSE 2
END;

-- Every change of a row counts, and its time of change never goes back.
CREATE FUNCTION app.touch() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := greatest(OLD.updated_at, clock_timestamp());
  RETURN NEW;
END $$;

-- What an organization has decided, as its quotes need it; a copy of what auth-service knows.
CREATE TABLE organization_settings (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  vat_rate numeric(5, 2) NOT NULL,
  number_prefix text NOT NULL,
  time_zone text NOT NULL,
  address text NOT NULL,
  vat_number text NOT NULL,
  PRIMARY KEY (organization_id)
);

-- Whom quotes are for. The id is the client's, a lead's for example.
CREATE TABLE customers (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  email text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  search_text text NOT NULL GENERATED ALWAYS AS (app.fold_text(name) || E'\n' || app.fold_text(coalesce(email, ''))) STORED,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT customers_name_length CHECK (char_length(name) <= 200),
  CONSTRAINT customers_email_length CHECK (char_length(email) BETWEEN 3 AND 254)
);
CREATE INDEX customers_by_name ON customers (organization_id, search_text, id);
CREATE TRIGGER touch BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION app.touch();

CREATE TABLE quotes (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  number_year integer NOT NULL,
  number_sequence integer NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  customer_id uuid NOT NULL,
  -- As the customer is called; as it was called then, once the quote is sent.
  customer_name text NOT NULL,
  customer_email text,
  title text NOT NULL,
  description text NOT NULL,
  currency text NOT NULL,
  vat_rate numeric(5, 2) NOT NULL,
  -- Why no VAT is charged, as for a reverse charge.
  vat_exemption_reason text,
  subtotal numeric(15, 2) NOT NULL DEFAULT 0,
  vat_amount numeric(15, 2) NOT NULL DEFAULT 0,
  total_amount numeric(15, 2) NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'draft',
  valid_until timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  -- Name, address and VAT number of the organization, as they were when the quote was sent.
  seller jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- A draft that was deleted keeps its number, so that the series has no gap.
  deleted_at timestamptz(3),
  -- The revision that replaces it.
  superseded_by uuid,
  search_text text NOT NULL GENERATED ALWAYS AS (
    app.fold_text(number) || E'\n' || app.fold_text(title) || E'\n' || app.fold_text(customer_name)) STORED,
  PRIMARY KEY (organization_id, id),
  -- Lines lean on it: the currency stays once there is one.
  CONSTRAINT quotes_currency_key UNIQUE (organization_id, id, currency),
  CONSTRAINT quotes_number_key UNIQUE (organization_id, number_year, number_sequence, revision),
  CONSTRAINT quotes_customer_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CONSTRAINT quotes_superseded_by_fkey FOREIGN KEY (organization_id, superseded_by) REFERENCES quotes (organization_id, id),
  CONSTRAINT quotes_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
  CONSTRAINT quotes_description_length CHECK (char_length(description) <= 5000),
  CONSTRAINT quotes_currency CHECK (currency ~ '^[A-Z]{3}$' AND app.minor_digits(currency) <= 2),
  CONSTRAINT quotes_vat_rate CHECK (vat_rate BETWEEN 0 AND 100),
  CONSTRAINT quotes_vat_exemption CHECK (vat_exemption_reason IS NULL OR vat_rate = 0),
  CONSTRAINT quotes_subtotal CHECK (subtotal >= 0),
  -- A product is exact, a quotient is not: * 0.01 and not / 100.
  CONSTRAINT quotes_vat_amount CHECK (vat_amount = round(subtotal * vat_rate * 0.01, app.minor_digits(currency))),
  CONSTRAINT quotes_total_amount CHECK (total_amount = subtotal + vat_amount),
  CONSTRAINT quotes_status CHECK (status IN ('draft', 'sent', 'accepted', 'rejected')),
  CONSTRAINT quotes_sent CHECK ((status = 'draft') = (sent_at IS NULL) AND (status = 'draft') = (seller IS NULL)),
  CONSTRAINT quotes_deleted_draft CHECK (deleted_at IS NULL OR status = 'draft')
);
-- A line changes the totals of its quote and nothing that an index holds, so that its new row finds room on its page.
ALTER TABLE quotes SET (fillfactor = 80);
CREATE TRIGGER touch BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION app.touch();

-- Each order of the list has an index in which its filters and searches are read as well. None holds an amount: see above.
CREATE INDEX quotes_by_creation ON quotes (organization_id, created_at, id)
  INCLUDE (status, customer_id, search_text) WHERE deleted_at IS NULL AND superseded_by IS NULL;
CREATE INDEX quotes_by_number ON quotes (organization_id, number_year, number_sequence, id)
  INCLUDE (status, customer_id, search_text) WHERE deleted_at IS NULL AND superseded_by IS NULL;
CREATE INDEX quotes_by_validity ON quotes (organization_id, valid_until, id)
  INCLUDE (status, customer_id, search_text) WHERE deleted_at IS NULL AND superseded_by IS NULL;
-- The list of one status, and of one customer.
CREATE INDEX quotes_by_status ON quotes (organization_id, status, created_at, id)
  WHERE deleted_at IS NULL AND superseded_by IS NULL;
CREATE INDEX quotes_by_customer ON quotes (organization_id, customer_id, created_at, id)
  INCLUDE (status) WHERE deleted_at IS NULL AND superseded_by IS NULL;

CREATE TABLE work_packages (
  organization_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  position integer NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  subtotal numeric(15, 2) NOT NULL DEFAULT 0,
  -- Kept here so that another line costs what the first did.
  item_count integer NOT NULL DEFAULT 0,
  last_position integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, quote_id, id),
  CONSTRAINT work_packages_quote_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes (organization_id, id),
  CONSTRAINT work_packages_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT work_packages_description_length CHECK (char_length(description) <= 5000),
  CONSTRAINT work_packages_subtotal CHECK (subtotal >= 0 AND (subtotal = 0 OR item_count > 0)),
  CONSTRAINT work_packages_position CHECK (position > 0),
  CONSTRAINT work_packages_item_count CHECK (item_count BETWEEN 0 AND 500)
);

CREATE TABLE line_items (
  organization_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  work_package_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  position integer NOT NULL,
  article_number text NOT NULL,
  description text NOT NULL,
  quantity numeric(11, 4) NOT NULL,
  unit text NOT NULL,
  unit_price numeric(12, 4) NOT NULL,
  currency text NOT NULL,
  total_price numeric(15, 2) NOT NULL,
  PRIMARY KEY (organization_id, quote_id, work_package_id, id),
  CONSTRAINT line_items_work_package_fkey FOREIGN KEY (organization_id, quote_id, work_package_id)
    REFERENCES work_packages (organization_id, quote_id, id) ON DELETE CASCADE,
  CONSTRAINT line_items_currency_fkey FOREIGN KEY (organization_id, quote_id, currency)
    REFERENCES quotes (organization_id, id, currency),
  CONSTRAINT line_items_article_number_length CHECK (char_length(article_number) <= 50),
  CONSTRAINT line_items_description_length CHECK (char_length(description) BETWEEN 1 AND 5000),
  CONSTRAINT line_items_unit_length CHECK (char_length(unit) BETWEEN 1 AND 20),
  CONSTRAINT line_items_quantity CHECK (quantity > 0),
  CONSTRAINT line_items_unit_price CHECK (unit_price >= 0),
  CONSTRAINT line_items_total_price CHECK (
    total_price = round(quantity * unit_price, app.minor_digits(currency)) AND total_price <= 999999999999.99)
);

-- Exact counts and values per status: one row for every change, summed when they are read. No two writers wait for each
-- other, and anyone who sees a quote sees it counted, because both come with the same transaction.
CREATE TABLE quote_counts (
  organization_id uuid NOT NULL,
  status text NOT NULL,
  currency text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  quotes integer NOT NULL,
  amount numeric(20, 2) NOT NULL,
  PRIMARY KEY (organization_id, status, currency, id) INCLUDE (quotes, amount)
);

CREATE FUNCTION app.count_quotes() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO quote_counts (organization_id, status, currency, quotes, amount)
    SELECT organization_id, status, currency, count(*), sum(total_amount) FROM added
    WHERE deleted_at IS NULL AND superseded_by IS NULL GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO quote_counts (organization_id, status, currency, quotes, amount)
    SELECT organization_id, status, currency, sum(quotes), sum(amount)
    FROM (
      SELECT organization_id, status, currency, 1 AS quotes, total_amount AS amount FROM added
      WHERE deleted_at IS NULL AND superseded_by IS NULL
      UNION ALL
      SELECT organization_id, status, currency, -1, -total_amount FROM removed
      WHERE deleted_at IS NULL AND superseded_by IS NULL
    ) AS changes
    GROUP BY 1, 2, 3 HAVING sum(quotes) <> 0 OR sum(amount) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON quotes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_quotes();
CREATE TRIGGER count_changed AFTER UPDATE ON quotes REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION app.count_quotes();

-- One write in 64 sums the changes of its organization up. It leaves out rows that another transaction is folding or has
-- not committed, so nobody waits, and the sum stays the same whatever is left out.
CREATE FUNCTION app.fold_quote_counts() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  WITH pending AS (
    SELECT organization_id, status, currency, id FROM quote_counts
    WHERE organization_id IN (SELECT organization_id FROM added)
    FOR UPDATE SKIP LOCKED
  ), folded AS (
    DELETE FROM quote_counts counts USING pending
    WHERE (counts.organization_id, counts.status, counts.currency, counts.id)
      = (pending.organization_id, pending.status, pending.currency, pending.id)
    RETURNING counts.organization_id, counts.status, counts.currency, counts.quotes, counts.amount
  )
  INSERT INTO quote_counts (organization_id, status, currency, quotes, amount)
  SELECT organization_id, status, currency, sum(quotes), sum(amount) FROM folded
  GROUP BY 1, 2, 3 HAVING sum(quotes) <> 0 OR sum(amount) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER fold_sometimes AFTER INSERT ON quote_counts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() < 2 AND random() < 1.0 / 64)
  EXECUTE FUNCTION app.fold_quote_counts();

-- Index-only scans live on a fresh visibility map.
ALTER TABLE customers SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE quotes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE quote_counts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

ALTER TABLE organization_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization_settings
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE customers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON customers
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE quotes ENABLE ROW LEVEL SECURITY;
ALTER TABLE quotes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quotes
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE work_packages ENABLE ROW LEVEL SECURITY;
ALTER TABLE work_packages FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON work_packages
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE line_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE line_items FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON line_items
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE quote_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE quote_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quote_counts
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- Quotes and customers are never deleted by the service.
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_settings TO tenantry_quotation_service;
GRANT SELECT, INSERT, UPDATE ON customers, quotes TO tenantry_quotation_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON work_packages, line_items, quote_counts TO tenantry_quotation_service;
