import { invalidField } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import type { Accounts } from '../accounts/index.ts';
import type { Account } from './provisioning.repository.ts';
import {
  AccountAnswer,
  AccountOfBody,
  AccountPath,
  NewAccountBody,
  RemoveQuery,
  RenameBody,
} from './provisioning.schemas.ts';
import type { Provisioning } from './provisioning.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;
const config = { access: 'internal' } as const;

/** Accounts, administered by the service that keeps the directory. */
export function provisioningRoutes(
  app: Service,
  { disabling, ...provisioning }: Provisioning & Pick<Accounts, 'disabling'>,
): void {
  app.post(
    '/internal/users',
    {
      config,
      schema: { hide: true, body: NewAccountBody, response: { 201: AccountAnswer } },
    },
    async ({ body, headers }, reply) => {
      const account = await provisioning.create(body, idempotencyKeyOf(headers));
      return reply.code(201).send(answerOf(account));
    },
  );

  // Renaming twice is renaming once, and so is removing: they need no key.
  app.patch(
    '/internal/users/:id',
    {
      config,
      schema: { hide: true, params: AccountPath, body: RenameBody, response: { 200: AccountAnswer } },
    },
    async ({ params, body }) => answerOf(await provisioning.rename({ ...body, userId: params.id })),
  );

  // For the operator, who knows people by their addresses.
  app.post(
    '/internal/users/disable',
    { config, schema: { hide: true, body: AccountOfBody } },
    async ({ body }, reply) => {
      await disabling.disableByOperator(body.email);
      return reply.code(204).send();
    },
  );
  app.post(
    '/internal/users/enable',
    { config, schema: { hide: true, body: AccountOfBody } },
    async ({ body }, reply) => {
      await disabling.enableByOperator(body.email);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/internal/users/:id',
    { config, schema: { hide: true, params: AccountPath, querystring: RemoveQuery } },
    async ({ params, query }, reply) => {
      await provisioning.remove(params.id, query);
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

function answerOf({ createdAt, ...account }: Account) {
  return { user: { ...account, createdAt: createdAt.toISOString() } };
}
