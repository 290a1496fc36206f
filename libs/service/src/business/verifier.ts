import { createVerifier, type AroundReading, type Verifier } from '@tenantry/jwt-verify';
import { inTrace } from '@tenantry/tracing';
import type { Static, TObject } from 'typebox';
import type { Logger } from '../logging/logging.ts';
import * as settings from '../settings/settings.ts';
import type { BackgroundWork } from '../work/background.ts';

const around: AroundReading = (what, read) => inTrace(`read ${what}`, read);

/** Opens the verifier of the tokens that auth-service signs. */
export function openVerifier(
  config: Static<TObject<typeof settings.verifierSettings>>,
  logger: Logger,
): Verifier {
  const { AUTH_URL: issuer, AUTH_JWKS_URL: jwks, AUTH_REVOCATIONS_URL: revocations } = config;
  return createVerifier({ issuer, jwks, revocations, logger, around });
}

/** A verifier loads keys and revocations once it is opened; the service is ready when it has them. */
export function followAuthService(verifier: Verifier): BackgroundWork {
  return {
    close: () => verifier.close(),
    unreadyBecause: () => verifier.unreadyBecause(),
    // Infinite until auth-service has responded once.
    measurements: [
      {
        name: 'tenantry_revocations_age_seconds',
        help: 'Seconds since this verifier last heard which tokens are revoked',
        type: 'gauge',
        read: () => [{ value: verifier.revocations.staleMs / 1_000 }],
      },
      {
        name: 'tenantry_revocations',
        help: 'Revocations in force that this verifier knows',
        type: 'gauge',
        read: () => [{ value: verifier.revocations.entries }],
      },
      {
        name: 'tenantry_token_keys_age_seconds',
        help: 'Seconds since this verifier last read the public keys',
        type: 'gauge',
        read: () => [{ value: verifier.keys.staleMs / 1_000 }],
      },
      {
        name: 'tenantry_clock_ahead_seconds',
        help: 'Seconds by which the clock of this instance is ahead of that of auth-service; negative if behind',
        type: 'gauge',
        read: () => [{ value: verifier.clock.aheadMs / 1_000 }],
      },
    ],
  };
}
