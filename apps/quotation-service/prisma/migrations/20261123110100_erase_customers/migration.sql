-- A customer that was erased keeps its id, to which its quotes refer, and nothing else.
ALTER TABLE customers ADD COLUMN erased_at timestamptz(3);
ALTER TABLE customers ADD CONSTRAINT customers_erased
  CHECK (erased_at IS NULL OR (name = '' AND email IS NULL)) NOT VALID;

-- An acceptance was signed by somebody, whose name may have been erased since.
ALTER TABLE quote_decisions ADD COLUMN is_erased boolean NOT NULL DEFAULT false;
ALTER TABLE quote_decisions DROP CONSTRAINT quote_decisions_signature;
ALTER TABLE quote_decisions ADD CONSTRAINT quote_decisions_signature
  CHECK (decision = 'rejected' OR user_id IS NOT NULL OR name IS NOT NULL OR is_erased) NOT VALID;

-- What was written once changes where its customer is erased, and only there.
CREATE FUNCTION app.is_of_erased_customer(organization uuid, quote uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (
  SELECT FROM public.quotes q JOIN public.customers c ON (c.organization_id, c.id) = (q.organization_id, q.customer_id)
  WHERE (q.organization_id, q.id) = (organization, quote) AND c.erased_at IS NOT NULL);

CREATE POLICY quote_decisions_erased ON quote_decisions AS RESTRICTIVE FOR UPDATE
  USING (app.is_of_erased_customer(organization_id, quote_id)) WITH CHECK (is_erased);
CREATE POLICY contracts_erased ON contracts AS RESTRICTIVE FOR UPDATE
  USING (app.is_of_erased_customer(organization_id, quote_id));
-- Links to its offers go with it.
ALTER POLICY quote_links_purged ON quote_links
  USING ((SELECT app.is_being_purged()) OR app.is_of_erased_customer(organization_id, quote_id));
GRANT UPDATE (name, reason, ip_address, user_agent, is_erased) ON quote_decisions TO tenantry_quotation_service;
GRANT UPDATE (document) ON contracts TO tenantry_quotation_service;
