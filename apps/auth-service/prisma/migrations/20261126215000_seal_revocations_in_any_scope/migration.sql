-- A transaction that ends in the scope of a user alone, such as a reset of a password, may have revoked what its organizations
-- were told of members. Policies showed it none of those but the user's own, and refused to change that one. So the tokens of
-- members are moved on in the organization that the revocation speaks of.
CREATE OR REPLACE FUNCTION app.seal_revocation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  late interval := ceil(extract(epoch FROM clock_timestamp() - NEW.created_at) - 0.5) * INTERVAL '1 second';
  scope text := coalesce(current_setting('app.organization_id', true), '');
BEGIN
  IF late > INTERVAL '0' THEN
    UPDATE public.revocations SET issued_before = issued_before + late, until = until + late WHERE id = NEW.id;
    PERFORM set_config('app.organization_id', coalesce(NEW.organization::text, scope), true);
    IF NEW.kind = 'user' THEN
      UPDATE public.users SET tokens_from = greatest(tokens_from, NEW.issued_before + late) WHERE id = NEW.sub;
    ELSIF NEW.kind = 'organization' THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization;
    ELSIF NOT NEW.within_organization THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization AND user_id = NEW.sub;
    END IF;
    PERFORM set_config('app.organization_id', scope, true);
  END IF;
  RETURN NULL;
END $$;
