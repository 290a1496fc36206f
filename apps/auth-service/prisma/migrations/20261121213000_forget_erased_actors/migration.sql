-- The trail of an erased user keeps the id, and forgets from where and by what it was, also in organizations that the user
-- has left. Who acts in person sees and touches their own rows alone; the service may still not update anything.
ALTER POLICY "audit_events_organization" ON "audit_events" USING (
  "organization_id" = (SELECT app.organization_id_in_scope()) OR "actor_user_id" = (SELECT app.user_id_in_scope())
);

CREATE INDEX "audit_events_actor_user_id_id_idx" ON "audit_events"("actor_user_id", "id");

CREATE FUNCTION app.forget_actor("actor" uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  UPDATE public.audit_events SET ip_address = NULL, device = NULL
  WHERE actor_user_id = actor AND (ip_address IS NOT NULL OR device IS NOT NULL);
$$;
