import type { Service } from '@tenantry/service/http';
import { notLetInRefusals, contextIn } from '../ground/index.ts';
import { MemberAnswer, MemberPath, memberNotFound } from '../organizations/index.ts';
import { usedElsewhere } from './others-accounts.ts';
import type { TwoFactorResets } from './two-factor-resets.ts';
import type { AccountsRoutesOptions } from './wing.ts';

const operations = {
  disable: {
    operationId: 'disableMember',
    summary: 'Disable the account of a member',
    description:
      'Only for accounts that belong solely to your organization. Sessions end, access tokens are revoked, and the account ' +
      'cannot sign in until it is enabled again; nothing is deleted. Until its address is confirmed, the owner of the mailbox ' +
      'can claim the account by a letter, which ends the membership.',
  },
  enable: {
    operationId: 'enableMember',
    summary: 'Enable the account of a member again',
    description: 'For accounts that your organization has disabled.',
  },
  'reset-two-factor': {
    operationId: 'resetMemberTwoFactor',
    summary: 'Turn off the two-factor authentication of a member who has lost it',
    description:
      'Only for accounts that belong solely to your organization, never for your own. Sessions end, and the member is notified.',
  },
} as const;

/** Routes for owners, about the accounts of an organization's members. */
export function disablingRoutes(app: Service, options: AccountsRoutesOptions): void {
  const { disabling, twoFactorResets, stepUp, limits } = options;
  const changes: Readonly<Record<keyof typeof operations, TwoFactorResets['reset']>> = {
    disable: (...given) => disabling.disable(...given),
    enable: (...given) => disabling.enable(...given),
    'reset-two-factor': (...given) => twoFactorResets.reset(...given),
  };
  const refusals = [...notLetInRefusals, ...stepUp.refusals, memberNotFound(), usedElsewhere()];

  for (const name of ['disable', 'enable', 'reset-two-factor'] as const) {
    app.post(
      `/api/auth/organization/:organizationId/members/:userId/${name}`,
      {
        config: { access: 'users:disable', confined: true, errors: refusals },
        schema: {
          ...operations[name],
          tags: ['members'],
          params: MemberPath,
          response: { 200: MemberAnswer },
        },
      },
      async (request) => {
        const { principal, params, client } = request;
        await stepUp.require(principal, { concerns: 'others', client });
        await limits.memberChanges.consume(principal.user.id);
        return { member: await changes[name](contextIn(request), params.userId) };
      },
    );
  }
}
