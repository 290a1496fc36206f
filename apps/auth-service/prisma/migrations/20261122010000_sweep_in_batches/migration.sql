-- What expires is found by an index, and deleted in batches.
-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "mailed_tokens_expires_at_idx" ON "mailed_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "two_factor_challenges_expires_at_idx" ON "two_factor_challenges"("expires_at");

-- CreateIndex
CREATE INDEX "audit_events_created_at_idx" ON "audit_events"("created_at");

-- These rows are seen by their user or organization alone, and maintenance is neither. It calls functions that run as the
-- owner of the tables, whom these policies show what is over and nothing else. A scope is set because every policy is
-- asked, and outside of one they raise; nobody has this id.
CREATE POLICY "sessions_over" ON "sessions" TO CURRENT_USER
  USING ("expires_at" < statement_timestamp() - INTERVAL '1 day');

CREATE FUNCTION app.sweep_sessions() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.sessions WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.sessions WHERE expires_at < statement_timestamp() - INTERVAL '1 day'
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;

CREATE POLICY "mailed_tokens_over" ON "mailed_tokens" TO CURRENT_USER
  USING ("expires_at" < statement_timestamp() - INTERVAL '1 day');

CREATE FUNCTION app.sweep_mailed_tokens() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.mailed_tokens WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.mailed_tokens WHERE expires_at < statement_timestamp() - INTERVAL '1 day'
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;

CREATE POLICY "two_factor_challenges_over" ON "two_factor_challenges" TO CURRENT_USER
  USING ("expires_at" < statement_timestamp() - INTERVAL '1 hour');

CREATE FUNCTION app.sweep_two_factor_challenges() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.two_factor_challenges WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.two_factor_challenges WHERE expires_at < statement_timestamp() - INTERVAL '1 hour'
    ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;

-- The service may not delete from the trail, and this function nothing that is younger than 30 days.
CREATE POLICY "audit_events_over" ON "audit_events" TO CURRENT_USER
  USING ("created_at" < statement_timestamp() - INTERVAL '30 days');

CREATE FUNCTION app.sweep_audit_events("retention_days" integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  gone integer;
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  DELETE FROM public.audit_events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM public.audit_events
    WHERE created_at < statement_timestamp() - make_interval(days => greatest(retention_days, 30))
    ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
  RETURN gone;
END $$;
