DROP INDEX CONCURRENTLY customers_by_name;
