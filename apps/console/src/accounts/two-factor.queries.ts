import { useMutation } from '@tanstack/react-query';
import type { api } from '@tenantry/client';
import { useReload, useTenantry } from '../sessions/sessions.queries.ts';

/** What an authenticator app is set up with. */
export type Enrolment = api.AppSetUp;

/** Begins to turn two-factor authentication on: a code of the app completes it. */
export function useBeginTwoFactor() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (password: string): Promise<Enrolment> => {
      const { data } = await tenantry.enableTwoFactor({ body: { password } });
      if (!('secret' in data)) throw new Error('An app was asked for, and another set-up was begun.');
      return data;
    },
  });
}

/** Turns it on, by the first code of the app. */
export function useCompleteTwoFactor() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (code: string) => {
      await tenantry.verifyTotp({ body: { code } });
    },
  });
}

/** Turns it off. */
export function useDisableTwoFactor() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (body: api.DisableTwoFactorBody) => {
      await tenantry.disableTwoFactor({ body });
      await reload();
    },
  });
}

/** Makes new backup codes in place of the old ones. */
export function useRenewBackupCodes() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (): Promise<readonly string[]> => (await tenantry.renewBackupCodes()).data.backupCodes,
  });
}
