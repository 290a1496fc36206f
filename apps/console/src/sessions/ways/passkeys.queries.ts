import type { api } from '@tenantry/client';
import { useCallback, useEffect, useRef } from 'react';
import { useMutation } from '../../design/use-mutation.ts';
import { useSessionStore, useTenantry } from '../sessions.queries.ts';
import { knowsPasskeys, offersPasskeys, usedPasskey, type PasskeyCall } from './passkeys.ts';

// What other nouns ask of the browser.
export { isNumbered, madePasskey, usedPasskey } from './passkeys.ts';

/** Whether this browser knows passkeys, and has them here. */
export const useKnowsPasskeys = (): boolean => knowsPasskeys(useSessionStore().origin);

/** Before the API's challenge expires, which it does after five minutes. */
const offerMs = 4 * 60 * 1_000;

/**
 * Signs in with a passkey: at the press of a button, and, as long as this is shown, with one that is chosen below the field
 * for the address.
 */
export function useSignInWithPasskey(onSignedIn: () => unknown) {
  const { tenantry, origin } = useSessionStore();
  const offered = useRef<AbortController>(undefined);
  const done = useRef(onSignedIn);
  useEffect(() => {
    done.current = onSignedIn;
  });
  const signIn = useCallback(
    async (call: PasskeyCall = {}): Promise<boolean> => {
      const { options, token } = (await tenantry.getPasskeySignInOptions()).data;
      const response = await usedPasskey(options, call);
      // An offer may be answered in the moment in which the button is pressed.
      if (!response || call.signal?.aborted === true) return false;
      await tenantry.signInWithPasskey({ body: { token, response } });
      return true;
    },
    [tenantry],
  );

  const pressed = useMutation({
    mutationFn: async () => {
      offered.current?.abort();
      if (await signIn()) await done.current();
    },
  });

  useEffect(() => {
    const offer = async () => {
      offered.current?.abort();
      const controller = new AbortController();
      offered.current = controller;
      if (!(await offersPasskeys(origin)) || controller.signal.aborted) return;
      if (await signIn({ signal: controller.signal, isOffer: true })) await done.current();
    };
    // The user did not request it, so a failure is not shown.
    const begin = () => void offer().catch(() => undefined);
    begin();
    const timer = setInterval(begin, offerMs);
    return () => {
      clearInterval(timer);
      offered.current?.abort();
    };
  }, [signIn, origin]);
  return pressed;
}

/** Gives a passkey as the second factor of a sign-in. */
export function useVerifyPasskey(challengeToken: string) {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (): Promise<boolean> => {
      const { data } = await tenantry.getPasskeyVerificationOptions({ body: { challengeToken } });
      const response = await usedPasskey(data.options);
      if (!response) return false;
      await tenantry.verifyPasskey({ body: { challengeToken, response } });
      return true;
    },
  });
}

/** Has a passkey answer for the session; undefined where it was aborted. */
export function useAskPasskey() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (): Promise<api.PasskeyAssertion | undefined> =>
      usedPasskey((await tenantry.getPasskeyVerificationOptions({ body: {} })).data.options),
  });
}
