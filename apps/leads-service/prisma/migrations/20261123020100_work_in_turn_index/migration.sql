CREATE INDEX CONCURRENTLY due_work_ready ON due_work (kind, organization_id, next_attempt_at) WHERE is_ready;
