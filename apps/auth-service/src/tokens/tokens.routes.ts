import type { Service } from '@tenantry/service-kit';
import { feedRoute } from '../events/index.ts';
import { RevocationPageAnswer } from './revocations/revocations.schemas.ts';
import { signingKeysRoutes } from './signing-keys/signing-keys.routes.ts';
import type { Tokens } from './wing.ts';

/**
 * What verifiers need: the public keys and the revocations.
 *
 * Revocations take no key, so that a verifier needs nothing but an address: they name sessions and users by ids that
 * mean nothing to anyone else.
 */
export function tokensRoutes(app: Service, { signingKeys, revocations }: Tokens): void {
  signingKeysRoutes(app, signingKeys);
  feedRoute(app, {
    path: '/internal/revocations',
    access: 'public',
    feed: revocations,
    answer: RevocationPageAnswer,
  });
}
