ALTER TABLE customers VALIDATE CONSTRAINT customers_language;
ALTER TABLE customers VALIDATE CONSTRAINT customers_erased_language;
