import type { Service } from '@tenantry/service-kit';
import { actingIn, notLetInRefusals } from '../ground/index.ts';
import { forbidden, memberAnswer, MemberAnswer, MemberPath, memberNotFound } from '../organizations/index.ts';
import type { RequireSensitive } from '../sessions/index.ts';
import type { Disabling } from './disabling.ts';

/** What the routes need. */
export interface DisablingRoutesOptions {
  readonly disabling: Pick<Disabling, 'disable' | 'enable'>;
  readonly requireSensitive: RequireSensitive;
}

const operations = {
  disable: {
    operationId: 'disableMember',
    summary: 'Disable the account of a member',
    description:
      'For accounts that belong to your organization alone. Sessions end, access tokens are revoked, and nobody signs in ' +
      'until the account is enabled again; nothing is deleted.',
  },
  enable: {
    operationId: 'enableMember',
    summary: 'Enable the account of a member again',
    description: 'For accounts that your organization has disabled.',
  },
} as const;

/** Disabling the accounts of an organization's people. */
export function disablingRoutes(app: Service, { disabling, requireSensitive }: DisablingRoutesOptions): void {
  const refusals = [
    ...notLetInRefusals,
    ...requireSensitive.refusals,
    memberNotFound(),
    forbidden('This account is also used elsewhere. Remove the member instead.'),
  ];

  for (const name of ['disable', 'enable'] as const) {
    app.post(
      `/api/auth/organization/:organizationId/members/:userId/${name}`,
      {
        config: { access: 'users:disable', errors: refusals },
        schema: {
          ...operations[name],
          tags: ['members'],
          params: MemberPath,
          response: { 200: MemberAnswer },
        },
      },
      async ({ principal, params, client }) => {
        await requireSensitive(principal, { concerns: 'others', client });
        const actor = { userId: principal.user.id, client };
        const place = { organizationId: actingIn(principal).id, userId: params.userId };
        return { member: memberAnswer(await disabling[name](actor, place)) };
      },
    );
  }
}
