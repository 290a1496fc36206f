import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { AccessError, authenticate, TokenError, type Identity, type Verifier } from '@tenantry/jwt-verify';
import { answerRefusals as onExpress } from '@tenantry/jwt-verify/express';
import { answerRefusals, jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { jwtAccess as onTheWeb, refusal } from '@tenantry/jwt-verify/web';

const issuer = await createTestIssuer();
const verifier = issuer.verifier();

/** What edge runtimes have: promises and headers that are no `instanceof` of those that a module sees. */
const foreign = runInNewContext('({ Promise, Map })') as { Promise: PromiseConstructor; Map: MapConstructor };

/** A verifier whose identities come as promises of another realm. */
const elsewhere: Verifier = Object.assign(Object.create(verifier) as Verifier, {
  revocations: verifier.revocations,
  clock: verifier.clock,
  verifyNow: (token: string): Promise<Identity> =>
    new foreign.Promise((resolve, reject) => void verifier.verify(token).then(resolve, reject)),
});
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('a promise of another realm', () => {
  it('is waited for by the core', async () => {
    const identity = await authenticate(elsewhere, bearer(await issuer.token({ sub: 'u' })));
    expect(identity.userId).toBe('u');
    await expect(authenticate(elsewhere, bearer(await issuer.expiredToken()))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'TOKEN_EXPIRED',
    });
  });

  it('is waited for by Fastify', async () => {
    const app = Fastify();
    await app.register(jwtAccess(elsewhere).protect);
    app.get('/', async (request) => request.identity?.userId);
    expect((await app.inject({ url: '/', ...bearer(await issuer.token({ sub: 'u' })) })).body).toBe('u');
    expect((await app.inject({ url: '/', ...bearer(await issuer.expiredToken()) })).statusCode).toBe(401);
    await app.close();
  });
});

it('headers of another realm say who calls', async () => {
  const headers = new foreign.Map([['authorization', `Bearer ${await issuer.token({ sub: 'u' })}`]]);
  const identity = await onTheWeb(verifier).signedIn(headers as unknown as Headers);
  expect(identity.userId).toBe('u');
});

describe('an error of another copy of the library', async () => {
  const copy = (await import(
    `${import.meta.resolve('@tenantry/jwt-verify').replace('index', 'tokens/errors')}?copy`
  )) as {
    AccessError: typeof AccessError;
    TokenError: typeof TokenError;
  };

  it('is an instance of this one’s class', () => {
    expect(copy.TokenError).not.toBe(TokenError);
    expect(new copy.TokenError('TOKEN_EXPIRED')).toBeInstanceOf(TokenError);
    expect(copy.AccessError.signInRequired()).toBeInstanceOf(AccessError);
    for (const other of [new copy.TokenError('TOKEN_EXPIRED'), new Error('other'), null, 'text']) {
      expect(other).not.toBeInstanceOf(AccessError);
    }
  });

  it('is an instance of no subclass', () => {
    class Own extends TokenError {}
    expect(new Own('TOKEN_EXPIRED')).toBeInstanceOf(Own);
    expect(new TokenError('TOKEN_EXPIRED')).not.toBeInstanceOf(Own);
  });

  it('is answered by every adapter', async () => {
    const error = copy.AccessError.signInRequired();
    expect(refusal(error).status).toBe(401);
    const answered: unknown[] = [];
    const response = {
      headersSent: false,
      writeHead: (status: number) => answered.push(status),
      end: () => 0,
    };
    onExpress(error, undefined as never, response as never, () => answered.push('passed on'));
    expect(answered).toEqual([401]);
    const app = Fastify();
    app.setErrorHandler(answerRefusals);
    app.get('/', async () => Promise.reject(error));
    expect((await app.inject('/')).json()).toEqual(error.toJSON());
    await app.close();
  });
});
