import type { Config } from '../../config.ts';

/** The configured sign-in methods, for the sign-in page. Every way but the password is off until it is configured. */
export function signInOfferOf(
  config: Pick<Config, 'SIGN_UP' | 'MAILED_SIGN_IN' | 'PASSKEY_RP_ID'>,
  configured: ReadonlyMap<string, { readonly id: string; readonly name: string }>,
) {
  const { SIGN_UP: signUp, MAILED_SIGN_IN: mailed } = config;
  const providers = [...configured.values()].map(({ id, name }) => ({ id, name }));
  return { signUp, password: true, mailed, passkeys: config.PASSKEY_RP_ID !== undefined, providers };
}
