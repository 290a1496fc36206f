import type { api } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useTenantry } from '../sessions/sessions.queries.ts';
import { usedPasskey } from '../sessions/ways/passkeys.queries.ts';

/** The set-up of an authenticator app. */
export type Enrolment = api.AppSetUp;

/** The password, of somebody who has one. */
export interface OwnPassword {
  readonly password?: string;
}

/** Starts to turn on two-factor authentication: a code of the app completes it. */
export function useBeginTwoFactor() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (owner: OwnPassword): Promise<Enrolment> => {
      const { data } = await tenantry.enableTwoFactor({ body: owner });
      if (!('secret' in data)) throw new Error('An app was asked for, and another set-up was begun.');
      return data;
    },
  });
}

/** Turns it on with an existing passkey. @returns the backup codes; undefined if it was aborted */
export function useTurnOnByPasskey() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (owner: OwnPassword): Promise<readonly string[] | undefined> => {
      const { data } = await tenantry.enableTwoFactor({ body: { ...owner, method: 'passkey' } });
      const { options } = (await tenantry.getPasskeyVerificationOptions({ body: {} })).data;
      const response = await usedPasskey(options);
      if (!response) return undefined;
      await tenantry.verifyPasskey({ body: { response } });
      return data.backupCodes;
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

/** Turns it off by a passkey; false if it was aborted. */
export function useDisableByPasskey() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (owner: OwnPassword): Promise<boolean> => {
      const { options } = (await tenantry.getPasskeyVerificationOptions({ body: {} })).data;
      const response = await usedPasskey(options);
      if (!response) return false;
      await tenantry.disableTwoFactor({ body: { ...owner, response } });
      await reload();
      return true;
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
