DROP INDEX CONCURRENTLY "events_organization_idx";
