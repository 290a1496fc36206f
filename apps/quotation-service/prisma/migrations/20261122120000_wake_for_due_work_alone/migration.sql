-- Every request with an Idempotency-Key schedules work for the day after, and woke every instance for it.
-- A moment is rounded to milliseconds, so that "now" may lie ahead.
CREATE OR REPLACE TRIGGER due_work_notify AFTER INSERT ON due_work FOR EACH ROW
  WHEN (NEW.next_attempt_at <= clock_timestamp() + INTERVAL '1 s') EXECUTE FUNCTION app.notify_due_work();
