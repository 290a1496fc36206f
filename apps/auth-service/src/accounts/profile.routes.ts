import type { Service } from '@tenantry/service/http';
import { ChangeProfileBody, ProfileAnswer } from './profile.schemas.ts';
import type { Profiles } from './profile.ts';

/** A user's own name, language and time zone. */
export function profileRoutes(app: Service, { profiles }: { readonly profiles: Profiles }): void {
  app.get(
    '/api/auth/user',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getProfile',
        tags: ['users'],
        summary: 'Get your name, address, language and time zone',
        response: { 200: ProfileAnswer },
      },
    },
    async ({ principal }) => ({ user: await profiles.get(principal) }),
  );

  app.patch(
    '/api/auth/user',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'updateProfile',
        tags: ['users'],
        summary: 'Change your name, language or time zone',
        description:
          'Omitted fields are unchanged. Access tokens have the new name once the session is refreshed.',
        body: ChangeProfileBody,
        response: { 200: ProfileAnswer },
      },
    },
    async ({ principal, body, client }) => ({ user: await profiles.change(principal, { ...body, client }) }),
  );
}
