import type { Measurement } from '@tenantry/service/metrics';
import type { Protocol } from '../kinds.ts';
import { signInCodes, type ArrivalCode } from './arrival-codes.ts';

/** Counts sign-ins by connections, by protocol and outcome: of all organizations together. */
export class SignInCounts {
  readonly measurements: readonly Measurement[];
  readonly #counts: Readonly<Record<Protocol, Map<ArrivalCode, number>>> = { oidc: zeros(), saml: zeros() };

  constructor() {
    this.measurements = [
      {
        name: 'tenantry_connection_sign_ins_total',
        help: 'Sign-ins by connections of organizations, by protocol and by how they came out',
        type: 'counter',
        read: () =>
          Object.entries(this.#counts).flatMap(([protocol, counts]) =>
            [...counts].map(([outcome, value]) => ({ labels: { protocol, outcome }, value })),
          ),
      },
    ];
  }

  count(protocol: Protocol, outcome: ArrivalCode): void {
    const counts = this.#counts[protocol];
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
}

const zeros = () => new Map<ArrivalCode, number>(signInCodes.map((code) => [code, 0]));
