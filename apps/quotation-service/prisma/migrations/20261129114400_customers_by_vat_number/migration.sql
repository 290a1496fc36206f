-- Who has a VAT number already.
CREATE INDEX CONCURRENTLY customers_by_vat_number ON customers (organization_id, vat_number, id)
  WHERE erased_at IS NULL AND vat_number IS NOT NULL;
