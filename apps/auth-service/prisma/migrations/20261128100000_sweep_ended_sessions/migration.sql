-- Sessions that ended are deleted a day later, not when they would have expired. One that another session continues is kept for
-- as long as that one: its refresh token leads there, and shows a theft there. It is released with its continuation.
ALTER POLICY "sessions_over" ON "sessions"
  USING ("expires_at" < statement_timestamp() - INTERVAL '1 day' OR "revoked_at" < statement_timestamp() - INTERVAL '1 day');

CREATE FUNCTION app.sweep_ended_sessions() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  UPDATE public.sessions SET continued_by = NULL WHERE ctid = ANY(ARRAY(
    SELECT former.ctid
    FROM (
      SELECT user_id, id FROM public.sessions
      WHERE revoked_at < statement_timestamp() - INTERVAL '1 day' AND continued_by IS NULL
      ORDER BY revoked_at LIMIT 1000) AS ended
    JOIN public.sessions AS former ON former.user_id = ended.user_id AND former.continued_by = ended.id
    FOR UPDATE OF former SKIP LOCKED));
  DELETE FROM public.sessions WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.sessions
    WHERE revoked_at < statement_timestamp() - INTERVAL '1 day' AND continued_by IS NULL
    ORDER BY revoked_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;
