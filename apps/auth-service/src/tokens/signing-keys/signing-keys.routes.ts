import type { Service } from '@tenantry/service-kit';
import { JwksSchema } from './signing-keys.schemas.ts';
import type { SigningKeys } from './signing-keys.ts';

const paths = ['/api/auth/jwks', '/api/auth/.well-known/jwks.json', '/.well-known/jwks.json'];

/** Verifiers may keep the keys for half a minute: a key that is withdrawn is gone everywhere within one. */
const cacheControl = 'public, max-age=15';

/** The public keys, where verifiers look for them. */
export function signingKeysRoutes(app: Service, signingKeys: SigningKeys): void {
  for (const path of paths) {
    app.get(
      path,
      {
        config: { access: 'public' },
        schema: {
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
