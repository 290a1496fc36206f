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
export function signInOfferOf({ SIGN_UP }: Pick<Config, 'SIGN_UP'>): SignInOffer {
  return { signUp: SIGN_UP, password: true, mailed: false, passkeys: false, providers: [] };
}
