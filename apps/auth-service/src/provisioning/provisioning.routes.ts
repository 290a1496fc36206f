import {
  AccountAnswer,
  accountPath,
  accountsPath,
  CallerHeaders,
  NewAccount,
  Removal,
  Renaming,
} from '@tenantry/contracts';
import { invalidField } from '@tenantry/envelope';
import { addressOf } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import type { Static } from 'typebox';
import type { Accounts } from '../accounts/index.ts';
import { EmailSchema, IdPath, type MemberContext } from '../ground/index.ts';
import type { Provisioning } from './provisioning.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;
const config = { access: 'internal' } as const;
const AccountOfBody = ClosedObject({ email: EmailSchema });

interface ProvisioningRoutesOptions {
  readonly provisioning: Pick<Provisioning, 'create' | 'remove' | 'renames'>;
  readonly accounts: Pick<Accounts, 'disabling' | 'twoFactorResets'>;
}

/** Routes for the service that keeps the directory, to administer accounts. */
export function provisioningRoutes(
  app: Service,
  { provisioning, accounts }: ProvisioningRoutesOptions,
): void {
  const { disabling, twoFactorResets } = accounts;

  app.post(
    accountsPath,
    {
      config,
      schema: { hide: true, headers: CallerHeaders, body: NewAccount, response: { 201: AccountAnswer } },
    },
    async ({ body, headers }, reply) => {
      const user = await provisioning.create(contextOf(body, headers), body, idempotencyKeyOf(headers));
      return reply.code(201).send({ user });
    },
  );

  // Renaming twice is renaming once, and so is removing: they need no key.
  app.patch(
    accountPath(':id'),
    {
      config,
      schema: {
        hide: true,
        headers: CallerHeaders,
        params: IdPath,
        body: Renaming,
        response: { 200: AccountAnswer },
      },
    },
    async ({ params, body, headers }) => ({
      user: await provisioning.renames.rename(contextOf(body, headers), { ...body, userId: params.id }),
    }),
  );

  // For the operator, who knows people by their addresses.
  const changes: Readonly<Record<string, (email: string) => Promise<void>>> = {
    '/internal/users/disable': (email) => disabling.disableByOperator(email),
    '/internal/users/enable': (email) => disabling.enableByOperator(email),
    '/internal/users/reset-two-factor': (email) => twoFactorResets.resetByOperator(email),
  };
  for (const [path, change] of Object.entries(changes)) {
    app.post(path, { config, schema: { hide: true, body: AccountOfBody } }, async ({ body }, reply) => {
      await change(body.email);
      return reply.code(204).send();
    });
  }

  app.delete(
    accountPath(':id'),
    {
      config,
      schema: { hide: true, headers: CallerHeaders, params: IdPath, querystring: Removal },
    },
    async ({ params, query, headers }, reply) => {
      await provisioning.remove(contextOf(query, headers), params.id);
      return reply.code(204).send();
    },
  );
}

function idempotencyKeyOf(headers: Readonly<Record<string, unknown>>): string {
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && keyForm.test(key)) return key;
  const message = 'must be 1 to 255 visible characters';
  throw invalidField({ field: 'idempotency-key', rule: 'pattern', message });
}

/** The acting user, as the peer has read it from a verified token, and their address. The peer does not know the device. */
function contextOf(
  { organizationId, actorUserId: userId }: Removal,
  headers: Static<typeof CallerHeaders>,
): MemberContext {
  const ipAddress = addressOf(headers['x-client-address'] ?? '');
  return {
    organizationId,
    actor: { kind: 'user', userId, name: null },
    client: { deviceId: null, userAgent: null, ipAddress },
    sessionId: headers['x-session-id'] ?? null,
  };
}
