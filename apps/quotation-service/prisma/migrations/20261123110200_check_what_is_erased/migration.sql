ALTER TABLE customers VALIDATE CONSTRAINT customers_erased;
ALTER TABLE quote_decisions VALIDATE CONSTRAINT quote_decisions_signature;
