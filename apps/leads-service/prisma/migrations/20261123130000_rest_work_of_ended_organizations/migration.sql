-- Work of an organization that was deleted rests: it is due at "infinity". It is due at once where the organization is restored.
-- The release before passes over work of such an organization, whenever it is due.
CREATE FUNCTION app.wake_resting_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  UPDATE public.due_work SET is_ready = true, next_attempt_at = clock_timestamp()
  WHERE organization_id = OLD.organization_id AND next_attempt_at = 'infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER organization_ends_wake_work AFTER DELETE ON organization_ends
  FOR EACH ROW EXECUTE FUNCTION app.wake_resting_work();
