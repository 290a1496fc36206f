import type { Config } from '../../config.ts';

/** The configured sign-in methods, for the sign-in page. */
export interface SignInOffer {
  readonly signUp: Config['SIGN_UP'];
  readonly password: boolean;
  readonly mailed: boolean;
  readonly passkeys: boolean;
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

/** All methods except the password are off until configured. */
export function signInOfferOf(
  config: Pick<Config, 'SIGN_UP' | 'MAILED_SIGN_IN' | 'PASSKEY_RP_ID'>,
  configured: ReadonlyMap<string, SignInOffer['providers'][number]>,
): SignInOffer {
  const { SIGN_UP: signUp, MAILED_SIGN_IN: mailed } = config;
  const providers = [...configured.values()].map(({ id, name }) => ({ id, name }));
  return { signUp, password: true, mailed, passkeys: config.PASSKEY_RP_ID !== undefined, providers };
}
