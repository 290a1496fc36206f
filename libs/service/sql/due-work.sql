-- Work that is due in an organization, as a worker finds it without being in one. It names the organization, what kind
-- of work, on which row and when, and nothing else: what the work is about is read within the organization afterwards.
-- A kind of work is written in the transaction that causes it. Needs organization-ends.sql.
CREATE TABLE due_work (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Whether it is among the work that organizations take turns in. What is due and is not gets there by a worker's next look.
  -- During an attempt: whether it was scheduled once more, so that the attempt does not remove it.
  is_ready boolean NOT NULL DEFAULT false,
  -- Recent attempts without a result, including the present one: their process has died. At two the work is set aside.
  unanswered integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, kind, id),
  CONSTRAINT due_work_kind CHECK (kind ~ '^[a-z-]{1,40}$')
);
CREATE INDEX due_work_next ON due_work (kind, next_attempt_at);
-- Whose turn is next is found in it in one step, however much an organization has waiting.
CREATE INDEX due_work_ready ON due_work (kind, organization_id, next_attempt_at) WHERE is_ready;
-- Rows come and go, so that a page of them is soon dead.
ALTER TABLE due_work SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Wakes every instance at the commit, where there is something to do. Lost behind a pooler in transaction mode, so a poll
-- lies beneath.
CREATE FUNCTION app.notify_due_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM pg_notify('due_work', '');
  RETURN NULL;
END $$;
-- A moment is rounded to milliseconds, so that "now" may lie ahead.
CREATE TRIGGER due_work_notify AFTER INSERT ON due_work FOR EACH ROW
  WHEN (NEW.next_attempt_at <= clock_timestamp() + INTERVAL '1 s') EXECUTE FUNCTION app.notify_due_work();

-- Work of an organization that was deleted rests: it is due at "infinity". It is due at once where the organization is restored.
CREATE FUNCTION app.wake_resting_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  UPDATE public.due_work SET is_ready = true, next_attempt_at = clock_timestamp()
  WHERE organization_id = OLD.organization_id AND next_attempt_at = 'infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER organization_ends_wake_work AFTER DELETE ON organization_ends
  FOR EACH ROW EXECUTE FUNCTION app.wake_resting_work();

-- GRANT SELECT, INSERT, UPDATE, DELETE ON due_work TO runtime;
