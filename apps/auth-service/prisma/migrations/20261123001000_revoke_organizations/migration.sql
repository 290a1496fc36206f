-- A change that concerns all of an organization is one revocation. The rows of its members beside it are for verifiers of
-- earlier versions, which know no revocation of an organization.
ALTER TABLE "revocations" ALTER COLUMN "sub" DROP NOT NULL;
ALTER TABLE "revocations" ADD COLUMN "within_organization" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "revocations" DROP CONSTRAINT "revocations_kind_check";
ALTER TABLE "revocations" ADD CONSTRAINT "revocations_kind_check" CHECK (
  "kind" = 'session' AND "sid" IS NOT NULL AND "sub" IS NOT NULL AND "organization" IS NULL AND "issued_before" IS NULL
  OR "kind" = 'member' AND "sid" IS NULL AND "sub" IS NOT NULL AND "organization" IS NOT NULL AND "issued_before" IS NOT NULL
  OR "kind" = 'user' AND "sid" IS NULL AND "sub" IS NOT NULL AND "organization" IS NULL AND "issued_before" IS NOT NULL
  OR "kind" = 'organization' AND "sid" IS NULL AND "sub" IS NULL AND "organization" IS NOT NULL AND "issued_before" IS NOT NULL
) NOT VALID;

-- Until a transaction commits, tokens are still minted of what was true before it: issued_before must lie beyond the
-- commit, and it looks half a second ahead at the least. A transaction that took longer moves it on as it commits.
CREATE OR REPLACE FUNCTION app.seal_revocation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  late interval := ceil(extract(epoch FROM clock_timestamp() - NEW.created_at) - 0.5) * INTERVAL '1 second';
BEGIN
  IF late > INTERVAL '0' THEN
    UPDATE public.revocations SET issued_before = issued_before + late, until = until + late WHERE id = NEW.id;
    IF NEW.kind = 'user' THEN
      UPDATE public.users SET tokens_from = greatest(tokens_from, NEW.issued_before + late) WHERE id = NEW.sub;
    ELSIF NEW.kind = 'organization' THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization;
    ELSIF NOT NEW.within_organization THEN
      UPDATE public.members SET tokens_from = greatest(tokens_from, NEW.issued_before + late)
      WHERE organization_id = NEW.organization AND user_id = NEW.sub;
    END IF;
  END IF;
  RETURN NULL;
END $$;
