-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "confined_to" UUID,
ADD COLUMN     "connection_id" UUID;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_confinement_check" CHECK (
  ("confined_to" IS NULL) = ("connection_id" IS NULL)
  AND ("confined_to" IS NULL OR "active_organization_id" IS NOT DISTINCT FROM "confined_to")
) NOT VALID;

-- AlterTable
ALTER TABLE "two_factor_challenges" ADD COLUMN     "confined_to" UUID,
ADD COLUMN     "connection_id" UUID,
ADD COLUMN     "ends_at" TIMESTAMPTZ(3);
ALTER TABLE "two_factor_challenges" ADD CONSTRAINT "two_factor_challenges_confinement_check" CHECK (
  ("confined_to" IS NULL) = ("connection_id" IS NULL) AND ("ends_at" IS NULL OR "confined_to" IS NOT NULL)
) NOT VALID;

-- What a connection has started belongs to many users. To end it, a function runs as the owner of the tables, to whom these
-- policies show it.
CREATE POLICY "sessions_of_connection" ON "sessions" TO CURRENT_USER
  USING ("connection_id" = nullif(current_setting('app.connection_id', true), '')::uuid);
CREATE POLICY "two_factor_challenges_of_connection" ON "two_factor_challenges" TO CURRENT_USER
  USING ("connection_id" = nullif(current_setting('app.connection_id', true), '')::uuid);

-- In the scope of its organization. Users first, from the lowest id, as everywhere: a sign-in that is under way ends before, and its
-- session is seen.
CREATE FUNCTION app.end_sessions_of(connection uuid, ended_at timestamptz)
RETURNS TABLE (ended_user_id uuid, ended_session_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  scope text := current_setting('app.user_id', true);
  organization uuid := app.current_organization_id();
BEGIN
  PERFORM set_config('app.user_id', '00000000-0000-0000-0000-000000000000', true);
  PERFORM set_config('app.connection_id', connection::text, true);
  PERFORM FROM public.users WHERE id IN (
    SELECT user_id FROM public.sessions
    WHERE connection_id = connection AND confined_to = organization AND revoked_at IS NULL
    UNION SELECT user_id FROM public.two_factor_challenges WHERE connection_id = connection AND confined_to = organization)
    ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM public.two_factor_challenges WHERE connection_id = connection AND confined_to = organization;
  RETURN QUERY UPDATE public.sessions SET revoked_at = ended_at
    WHERE connection_id = connection AND confined_to = organization AND revoked_at IS NULL
    RETURNING user_id, id;
  PERFORM set_config('app.connection_id', '', true);
  PERFORM set_config('app.user_id', coalesce(scope, ''), true);
END $$;
