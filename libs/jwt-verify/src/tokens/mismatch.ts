import { TokenError } from './errors.ts';
import type { Claims } from './identity.ts';

const optionOf = { iss: 'issuer', aud: 'audience' } as const;
const shownLengthMax = 200;

/**
 * The warning for the operator when a validly signed token names an issuer or audience that the verifier does not accept: this
 * is a misconfiguration far more often than an attack. The client sees neither value.
 */
export function mismatchWarning(
  refusal: unknown,
  claims: Claims,
  accepted: Readonly<Record<keyof typeof optionOf, readonly string[]>>,
): { readonly claim: string; readonly message: string } | undefined {
  if (!(refusal instanceof TokenError)) return undefined;
  const { claim } = refusal;
  if (claim !== 'iss' && claim !== 'aud') return undefined;
  const [only, ...others] = accepted[claim];
  const expected = others.length === 0 ? shown(only) : `one of ${shown(accepted[claim])}`;
  const message =
    `A token with a good signature was refused for its claim ${claim}: expected ${expected}, ` +
    `actual ${shown(claims[claim])}. If the token is one of yours, set the option ${optionOf[claim]} to exactly ` +
    'what the tokens carry. (Reported once.)';
  return { claim, message };
}

/** JSON keeps whatever a token holds on one line. */
function shown(value: unknown): string {
  return (JSON.stringify(value) as string | undefined)?.slice(0, shownLengthMax) ?? 'none';
}
