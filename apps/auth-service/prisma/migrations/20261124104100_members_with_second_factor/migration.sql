-- Whether a user can sign in with two factors: admins see it of their members. What a second factor is made of stays visible
-- to its user alone, so triggers keep it here.
ALTER TABLE "users" ADD COLUMN     "has_second_factor" BOOLEAN NOT NULL DEFAULT false;

CREATE FUNCTION app.keep_second_factor() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  concerned uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  UPDATE public.users SET has_second_factor = NOT has_second_factor
  WHERE id = concerned AND has_second_factor <> (
    EXISTS (SELECT FROM public.two_factor WHERE user_id = concerned AND enabled_at IS NOT NULL)
    OR EXISTS (SELECT FROM public.passkeys WHERE user_id = concerned));
  RETURN NULL;
END $$;
CREATE TRIGGER keep_second_factor AFTER INSERT OR DELETE OR UPDATE OF "enabled_at" ON "two_factor"
  FOR EACH ROW EXECUTE FUNCTION app.keep_second_factor();
CREATE TRIGGER keep_second_factor AFTER INSERT OR DELETE ON "passkeys"
  FOR EACH ROW EXECUTE FUNCTION app.keep_second_factor();

-- The next migration fills in those of before, by what the owner of the tables sees until the one after it.
CREATE POLICY "two_factor_migration" ON "two_factor" FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY "passkeys_migration" ON "passkeys" FOR SELECT TO CURRENT_USER USING (true);
