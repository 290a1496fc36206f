import type { api } from '@tenantry/client';
import { DeviceError, type DeviceReason } from '../../failures/device-error.ts';

/** What the API asks a browser for: a passkey that is there. */
export type PasskeyRequest = api.GetPasskeySignInOptionsAnswer['options'];

/** Whether the host of an origin is a number, for which browsers have no passkeys. */
export const isNumbered = (origin: string): boolean => /:\/\/(?:[\d.]+|\[.+\])(?::|$)/.test(origin);

/** Whether this browser knows passkeys as they are asked for here, and has them at an origin. */
export const knowsPasskeys = (origin: string): boolean =>
  !isNumbered(origin) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether it also offers them below a field, in the list of what it would fill in. */
export const offersPasskeys = async (origin: string): Promise<boolean> =>
  knowsPasskeys(origin) && (await PublicKeyCredential.isConditionalMediationAvailable());

/** How a passkey is asked for. */
export interface PasskeyCall {
  readonly signal?: AbortSignal;
  /** Below a field, until one is chosen: no dialog opens. */
  readonly isOffer?: boolean;
}

/**
 * Asks the user for a passkey.
 *
 * @returns undefined if it was aborted
 * @throws DeviceError
 */
export async function usedPasskey(
  request: PasskeyRequest,
  { signal, isOffer = false }: PasskeyCall = {},
): Promise<api.PasskeyAssertion | undefined> {
  return jsonOf(request.timeout, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(request),
      ...(signal && { signal }),
      ...(isOffer && { mediation: 'conditional' as const }),
    }),
  );
}

/** Asks the user to create a passkey; likewise. */
export async function madePasskey(
  options: api.GetPasskeyOptionsAnswer['options'],
): Promise<api.PasskeyAttestation | undefined> {
  return jsonOf(options.timeout, () =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

async function jsonOf<Json>(
  timeoutMs: number,
  ask: () => Promise<Credential | null>,
): Promise<Json | undefined> {
  const askedAt = performance.now();
  try {
    const credential = await ask();
    return (credential as PublicKeyCredential).toJSON() as Json;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'AbortError') return undefined;
    const isLate = name === 'NotAllowedError' && performance.now() - askedAt >= timeoutMs;
    throw new DeviceError(isLate ? 'TIMED_OUT' : (reasons[name] ?? 'FAILED'), { cause: error });
  }
}

/** By the names of errors. WebAuthn Level 3, 5.1.3 and 5.1.4. */
const reasons: Readonly<Partial<Record<string, DeviceReason>>> = {
  InvalidStateError: 'ALREADY_REGISTERED',
  // Browsers do not say which: cancelled, without a passkey, or not allowed.
  NotAllowedError: 'NOT_ALLOWED',
  // Each passkey is discoverable and verifies its user; what cannot do either is this.
  ConstraintError: 'NOT_VERIFIED',
  NotSupportedError: 'NOT_SUPPORTED',
  SecurityError: 'OTHER_SITE',
};
