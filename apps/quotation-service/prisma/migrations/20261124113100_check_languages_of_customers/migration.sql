ALTER TABLE customers VALIDATE CONSTRAINT customers_language;
