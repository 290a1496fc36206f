import { revocationKindsHeader, RevocationPageAnswer, revocationsPath } from '@tenantry/contracts';
import type { Service } from '@tenantry/service/http';
import type { FastifyRequest } from 'fastify';
import { feedRoute } from '../events/index.ts';
import type { RevocationEntry } from './revocations/revocations.repository.ts';
import { signingKeysRoutes } from './signing-keys/signing-keys.routes.ts';
import type { Tokens } from './wing.ts';

/**
 * Routes for verifiers: the public keys and the revocations.
 *
 * Revocations take no key, so that a verifier needs nothing but an address: they name sessions and users by ids that
 * mean nothing to anyone else.
 */
export function tokensRoutes(app: Service, { signingKeys, revocations }: Tokens): void {
  signingKeysRoutes(app, signingKeys);
  feedRoute(app, {
    path: revocationsPath,
    access: 'public',
    feed: revocations,
    answer: RevocationPageAnswer,
    filter: (request) => (knowsOrganizations(request) ? isToldOnce : isToldOfEach),
  });
}

/** Verifiers name the kinds they know beyond those of the first version. */
const knowsOrganizations = ({ headers }: FastifyRequest): boolean =>
  String(headers[revocationKindsHeader] ?? '')
    .split(/[ ,]+/)
    .includes('organization');

/** The revocation of an organization covers those of its members. */
const isToldOnce = (entry: object): boolean => (entry as RevocationEntry).withinOrganization !== true;
const isToldOfEach = (entry: object): boolean => (entry as RevocationEntry).kind !== 'organization';
