import { Get, type ExecutionContext, type Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { authorize, type Role } from '@tenantry/jwt-verify';
import { identityOf, jwtAccess, Public, RefusalFilter } from '@tenantry/jwt-verify/nest';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { permissions } from './permissions.ts';
import { decorated, nestOf } from './services.ts';

const issuer = await createTestIssuer();
const access = jwtAccess(issuer.verifier(), { permissions });
const { Requires } = access;
afterAll(() => issuer.close());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The statuses that GET / of a controller answers without a token, to a member and to an owner. */
async function statuses(controller: Type, { filter = true } = {}): Promise<number[]> {
  const app = await nestOf(controller, new ExpressAdapter());
  closing.push(() => app.close());
  app.useGlobalGuards(access.protect);
  if (filter) app.useGlobalFilters(new RefusalFilter());
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const as = async (role: Role) => ({
    headers: { authorization: `Bearer ${await issuer.token({ role })}` },
  });
  const answers = [fetch(url), fetch(url, await as('member')), fetch(url, await as('owner'))];
  return (await Promise.all(answers)).map(({ status }) => status);
}

class Base {
  read(): string {
    return 'reached';
  }
}
const fresh = (): Type =>
  class extends Base {
    override read(): string {
      return 'reached';
    }
  };

describe('what is said of a controller and of its handler', () => {
  const anyone = [200, 200, 200];
  const signedIn = [401, 200, 200];
  const owners = [401, 403, 200];
  const owner = Requires('invoices:write');

  it.each([
    ['nothing: signed in', [], [], signedIn],
    ['the handler is public', [Public()], [], anyone],
    ['the controller is public', [], [Public()], anyone],
    ['the handler requires', [owner], [], owners],
    ['the controller requires', [], [owner], owners],
    [
      'the controller requires one thing and the handler another',
      [Requires('invoices:read')],
      [owner],
      owners,
    ],
    ['the handler requires two things', [owner, Requires('invoices:read')], [], owners],
    ['the handler is public in a controller that requires', [Public()], [owner], anyone],
    ['the handler requires in a public controller', [owner], [Public()], owners],
    ['the handler is public and requires', [Public(), owner], [], owners],
    ['the controller is public and requires', [], [Public(), owner], owners],
  ])('%s', async (_case, ofHandler, ofController, expected) => {
    const controller = fresh();
    decorated(controller, { read: [Get(), ...ofHandler] }, ...ofController);
    expect(await statuses(controller)).toEqual(expected);
  });

  it('holds for a controller that extends one', async () => {
    const base = fresh();
    decorated(base, { read: [Get()] }, owner);
    const derived = class extends base {};
    decorated(derived, {});
    expect(await statuses(derived)).toEqual(owners);
  });
});

describe('a refusal', () => {
  it('that a handler makes is answered as one that the guard makes', async () => {
    const controller = class {
      read(request: object): string {
        authorize(identityOf(request), 'invoices:write', permissions);
        return 'reached';
      }
    };
    const { Req } = await import('@nestjs/common');
    decorated(controller, { read: [Get()] });
    Req()(controller.prototype, 'read', 0);
    expect(await statuses(controller)).toEqual([401, 403, 200]);
  });

  it('lets no request in without the filter, though the response is then 500', async () => {
    const controller = fresh();
    decorated(controller, { read: [Get(), Requires('invoices:write')] });
    expect(await statuses(controller, { filter: false })).toEqual([500, 500, 200]);
  });
});

it('what is no HTTP is not let in', async () => {
  const context = {
    getType: () => 'rpc',
    getHandler: () => () => undefined,
    getClass: fresh,
  } as unknown as ExecutionContext;
  await expect(access.protect.canActivate(context)).rejects.toThrow(/HTTP/);
});
