import type { api } from '@tenantry/client';

/** What the API asks a browser for: a passkey that is there. */
export type PasskeyRequest = api.GetPasskeySignInOptionsAnswer['options'];

/** Whether this browser knows passkeys as they are asked for here. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether it also offers them below a field, in the list of what it would fill in. */
export const offersPasskeys = async (): Promise<boolean> =>
  knowsPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());

/** How a passkey is asked for. */
export interface PasskeyCall {
  readonly signal?: AbortSignal;
  /** Below a field, until one is chosen: no dialog opens. */
  readonly isOffer?: boolean;
}

/** Asks the user for a passkey. @returns undefined if they cancel, or it was aborted */
export async function usedPasskey(
  request: PasskeyRequest,
  { signal, isOffer = false }: PasskeyCall = {},
): Promise<api.PasskeyAssertion | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const call = {
    publicKey,
    ...(signal && { signal }),
    ...(isOffer && { mediation: 'conditional' as const }),
  };
  return jsonOf(() => navigator.credentials.get(call));
}

/** Asks the user to create a passkey. @returns undefined if they cancel */
export async function madePasskey(
  options: api.GetPasskeyOptionsAnswer['options'],
): Promise<api.PasskeyAttestation | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return jsonOf(() => navigator.credentials.create({ publicKey }));
}

async function jsonOf<Json>(ask: () => Promise<Credential | null>): Promise<Json | undefined> {
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? (credential.toJSON() as Json) : undefined;
  } catch (error) {
    const isDeclined =
      error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
    if (isDeclined) return undefined;
    throw error;
  }
}
