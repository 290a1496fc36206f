import type { Service } from '@tenantry/service/http';
import { WaysInAnswer } from './ways-in.schemas.ts';
import type { SignInRoutesOptions } from '../wing.ts';

/** The ways in which a user can sign in. */
export function waysInRoutes(app: Service, { waysIn, secondFactors }: SignInRoutesOptions): void {
  app.get(
    '/api/auth/ways-in',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getWaysIn',
        tags: ['sessions'],
        summary: 'List the ways to sign in to your account',
        response: { 200: WaysInAnswer },
      },
    },
    async ({ principal }) => {
      const [ways, twoFactor] = await Promise.all([
        waysIn.list(principal.user.id),
        secondFactors.state(principal.user.id),
      ]);
      return { ...ways, twoFactor };
    },
  );
}
