import type { Verifier } from '@tenantry/jwt-verify';
import type { Measurement } from '@tenantry/service-kit/metrics';

/** How fresh what a verifier knows is, infinite before auth-service has answered once; and how right its clock is. */
export function verifierMeasurements(
  verifier: Pick<Verifier, 'clock' | 'keys' | 'revocations'>,
): Measurement[] {
  return [
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
  ];
}
