-- Entries keep what a user was called then, so that they can be read once the user has left. Rows of before, and of a
-- version that still runs, do not.
ALTER TABLE "audit_events" ADD COLUMN "actor_name" TEXT, ADD COLUMN "target_name" TEXT;

-- Whom the erased user's name stands for in the trails of others, also in organizations that the user has left.
CREATE POLICY "audit_events_named" ON "audit_events" TO CURRENT_USER
  USING ("target_type" = 'user' AND "target_id" = (SELECT app.user_id_in_scope())::text);

CREATE OR REPLACE FUNCTION app.forget_actor("actor" uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  UPDATE public.audit_events SET ip_address = NULL, device = NULL, actor_name = NULL
  WHERE actor_user_id = actor AND (ip_address IS NOT NULL OR device IS NOT NULL OR actor_name IS NOT NULL);
  UPDATE public.audit_events SET target_name = NULL
  WHERE target_type = 'user' AND target_id = actor::text AND target_name IS NOT NULL;
$$;

-- The trails that mention a user, those of organizations that the user has left among them: each of these has to hear that
-- the user is erased.
CREATE FUNCTION app.organizations_mentioning("person" uuid) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT organization_id FROM public.audit_events WHERE actor_user_id = person
  UNION
  SELECT organization_id FROM public.audit_events WHERE target_type = 'user' AND target_id = person::text;
$$;
REVOKE ALL ON FUNCTION app.organizations_mentioning(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.organizations_mentioning(uuid) TO tenantry_auth_service;
