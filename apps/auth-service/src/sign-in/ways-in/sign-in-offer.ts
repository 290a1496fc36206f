import type { Config } from '../../config.ts';

/** The ways of signing in that are configured, as the page for it shows them. */
export interface SignInOffer {
  readonly signUp: Config['SIGN_UP'];
  readonly password: boolean;
  readonly mailed: boolean;
  readonly passkeys: boolean;
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

/** Every way but the password is off until it is configured. */
export function signInOfferOf(
  config: Pick<Config, 'SIGN_UP' | 'MAILED_SIGN_IN' | 'PASSKEY_RP_ID'>,
  configured: ReadonlyMap<string, SignInOffer['providers'][number]>,
): SignInOffer {
  const { SIGN_UP: signUp, MAILED_SIGN_IN: mailed } = config;
  const providers = [...configured.values()].map(({ id, name }) => ({ id, name }));
  return { signUp, password: true, mailed, passkeys: config.PASSKEY_RP_ID !== undefined, providers };
}
