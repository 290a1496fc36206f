import type { Service } from '@tenantry/service/http';
import { JwksSchema } from './signing-keys.schemas.ts';
import type { SigningKeys } from './signing-keys.ts';

const operations = {
  getJwks: '/api/auth/jwks',
  getWellKnownJwks: '/api/auth/.well-known/jwks.json',
  getRootJwks: '/.well-known/jwks.json',
};

/** Verifiers may cache the keys for half a minute: a withdrawn key is unusable everywhere within a minute. */
const cacheControl = 'public, max-age=15';

/** The public keys, for verifiers. */
export function signingKeysRoutes(app: Service, signingKeys: SigningKeys): void {
  for (const [operationId, path] of Object.entries(operations)) {
    app.get(
      path,
      {
        config: { access: 'public' },
        schema: {
          operationId,
          tags: ['keys'],
          summary: 'Get the public keys that verify access tokens',
          response: { 200: JwksSchema },
        },
      },
      async (_request, reply) => {
        const keys = await signingKeys.publicKeys();
        return reply.header('cache-control', cacheControl).send(keys as never);
      },
    );
  }
}
