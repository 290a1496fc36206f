import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import {
  claimsOf,
  newPassword,
  password,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { atStandIn, ssoAtStandIn } from './support/connections.ts';
import { letterData, mailedToken } from './support/mail.ts';
import { enter, mailedInvitation, switchTo } from './support/organizations.ts';
import { signInAt } from './support/social.ts';
import { moveTo, strictCompany, type TriedCompany } from './support/sso-requirement.ts';
import { StandInProvider } from './support/stand-in-provider.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  type Enrolled,
} from './support/two-factor.ts';

const [idp, social] = await Promise.all([
  StandInProvider.start({}, afterAll),
  StandInProvider.start({}, afterAll),
]);
const service = await startByClock({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: frontend,
    MAILED_SIGN_IN: 'true',
    PASSKEY_RP_ID: 'app.example.com',
    SSO_LOOPBACK_ORIGINS: idp.issuer,
    OIDC_PROVIDERS: `Local IdP|${social.issuer}|ours|canary-client-secret`,
    SESSION_BINDING: 'ip+device',
    TRUST_PROXY: '127.0.0.1',
  },
});
const { app, clock, sql } = service;
let company: TriedCompany;

beforeAll(async () => {
  company = await strictCompany(service, idp);
});

/** A member with an address in the domain, whose next session would be in the company. */
async function member(): Promise<SignedUp> {
  const user = await moveTo(service, await signUp(app, 'Mia Member'), company.domain);
  await enterCompany(user);
  return user;
}

/** As {@link member}, with a second factor. */
async function strongMember(): Promise<Enrolled> {
  const user = await moveTo(service, await enrol(app, clock, 'Mia Member'), company.domain);
  await enterCompany(user);
  return user;
}

async function enterCompany(user: SignedUp): Promise<void> {
  await enter(service, company.id, user, 'member');
  await sql('UPDATE users SET last_organization_id = $2 WHERE id = $1', [user.id, company.id]);
  await sql('UPDATE sessions SET active_organization_id = $2 WHERE user_id = $1', [user.id, company.id]);
}

/** The access token for the company that a session has from before. */
async function earlierToken({ token }: Pick<SignedUp, 'token'>): Promise<string> {
  const [before] = await sql('SELECT require_sso FROM organizations WHERE id = $1', [company.id]);
  const require = (required: unknown) =>
    sql('UPDATE organizations SET require_sso = $2 WHERE id = $1', [company.id, required]);
  await require(false);
  const earlier = await switchTo(service, token, company.id);
  await require(before?.['require_sso']);
  return earlier;
}

async function keyed() {
  const user = await member();
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin: frontend });
  const { options } = (await send(app, 'POST /passkeys/options', user)).body;
  const body = { response: authenticator.create(options) };
  expect((await send(app, 'POST /passkeys', { token: user.token, body })).status).toBe(201);
  return { user, authenticator };
}

async function byMail(fields: (asked: Answer, letter: { code: string; token: string }) => object) {
  const { email } = await member();
  const headers = { 'x-device-id': `device-${randomUUID()}` };
  const asked = await send(app, 'POST /sign-in/mailed', { body: { email }, headers });
  const letter = await letterData(service, email, 'sign-in-code');
  return send(app, 'POST /sign-in/mailed/verify', { body: fields(asked, letter), headers });
}

type Way = () => Promise<Answer>;

/**
 * Every operation that answers a session, by what a member of the company can do with it. Each either refuses them, or gives a session
 * that is not in the company.
 */
const ways: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  signInWithEmail: {
    'the password': async () => signIn(app, (await member()).email),
    'a new password, after a reset': async () => {
      const { email } = await member();
      await send(app, 'POST /password/forgot', { body: { email } });
      const token = await mailedToken(service, email, 'reset-password');
      expect((await send(app, 'POST /password/reset', { body: { token, newPassword } })).status).toBe(200);
      return send(app, 'POST /sign-in/email', { body: { email, password: newPassword } });
    },
  },
  signUpWithEmail: {
    'a new account in the domain': () => {
      const body = { email: `new.${randomUUID()}@${company.domain}`, password, name: 'New' };
      return send(app, 'POST /sign-up/email', { body });
    },
  },
  verifyMailedSignIn: {
    'a mailed code': () => byMail(({ body: { request } }, { code }) => ({ requestId: request.id, code })),
    'a mailed link': () => byMail((_, { token }) => ({ token })),
  },
  redeemTicket: {
    'an account at a provider': async () => {
      const { email } = await member();
      const browser = new Browser(app);
      const person = { sub: randomUUID(), email };
      const { body } = await signInAt(app, { provider: 'local-idp', at: social, person }, browser);
      const { code } = await letterData(service, email, 'sign-in-code');
      return browser.send('POST /sign-in/mailed/verify', { body: { requestId: body.request.id, code } });
    },
  },
  signInWithPasskey: {
    'a passkey, of aal2': async () => {
      const { authenticator } = await keyed();
      const { options, token } = (await send(app, 'POST /sign-in/passkey/options')).body;
      return send(app, 'POST /sign-in/passkey', { body: { token, response: authenticator.get(options) } });
    },
  },
  verifyTotp: {
    'the password and a code': async () => {
      const { email, secret } = await strongMember();
      return verifyTotp(app, {
        challengeToken: await challengeOf(app, email),
        code: nextCode(secret, clock),
      });
    },
    'a step-up': async () => {
      const user = await strongMember();
      const { secret, refreshToken } = user;
      const token = await earlierToken(user);
      return verifyTotp(app, { token, refreshToken, code: nextCode(secret, clock) });
    },
  },
  verifyBackupCode: {
    'the password and a backup code': async () => {
      const { email, backupCodes } = await strongMember();
      return verifyBackupCode(app, { challengeToken: await challengeOf(app, email), code: backupCodes[0]! });
    },
    'a step-up': async () => {
      const user = await strongMember();
      return verifyBackupCode(app, { token: await earlierToken(user), code: user.backupCodes[0]! });
    },
  },
  verifyPasskey: {
    'a step-up': async () => {
      const { user, authenticator } = await keyed();
      const token = await earlierToken(user);
      const body = { method: 'passkey', password };
      expect((await send(app, 'POST /two-factor/enable', { token, body })).status).toBe(200);
      const { options } = (await send(app, 'POST /two-factor/passkey/options', { token, body: {} })).body;
      return send(app, 'POST /two-factor/verify-passkey', {
        token,
        body: { response: authenticator.get(options) },
      });
    },
  },
  changePassword: {
    'a changed password': async () => {
      const token = await earlierToken(await member());
      return send(app, 'POST /password/change', { token, body: { currentPassword: password, newPassword } });
    },
  },
  rebindSession: {
    'another address': async () => {
      const { refreshToken } = await member();
      const headers = { 'x-forwarded-for': '198.51.100.9' };
      return send(app, 'POST /session/rebind', { body: { refreshToken, password }, headers });
    },
  },
  refreshSession: {
    'an older session': async () => {
      const { refreshToken } = await member();
      return send(app, 'POST /refresh', { body: { refreshToken } });
    },
    'an older session, for the organization': async () => {
      const { refreshToken } = await member();
      return send(app, 'POST /refresh', { body: { refreshToken, organizationId: company.id } });
    },
    'after the address was confirmed by a link': async () => {
      const user = await member();
      await sql('UPDATE users SET email_verified_at = NULL WHERE id = $1', [user.id]);
      expect((await send(app, 'POST /email/resend', { body: { email: user.email } })).status).toBe(200);
      const token = await mailedToken(service, user.email, 'verify-email');
      await send(app, 'POST /email/verify', { body: { token } });
      const signedIn = await signIn(app, user.email);
      const { refreshToken } = signedIn.body.session;
      return send(app, 'POST /refresh', { body: { refreshToken } });
    },
    'after an invitation was accepted': async () => {
      const user = await moveTo(service, await signUp(app, 'Mia Member'), company.domain);
      const body = { email: user.email, role: 'member' };
      const { token } = company;
      expect((await send(app, `POST /organization/${company.id}/invitations`, { token, body })).status).toBe(
        201,
      );
      const invitation = await mailedInvitation(service, user.email);
      const accepted = await send(app, 'POST /invitations/accept', {
        token: user.token,
        body: { token: invitation },
      });
      expect(accepted.status).toBe(200);
      return send(app, 'POST /refresh', {
        body: { refreshToken: user.refreshToken, organizationId: company.id },
      });
    },
    'after joining by the address': async () => {
      const user = await moveTo(service, await signUp(app, 'Mia Member'), company.domain);
      await sql(`UPDATE domains SET joins = 'member' WHERE organization_id = $1`, [company.id]);
      const body = { organizationId: company.id };
      expect((await send(app, 'POST /organization/join', { token: user.token, body })).status).toBe(200);
      return send(app, 'POST /refresh', {
        body: { refreshToken: user.refreshToken, organizationId: company.id },
      });
    },
  },
  switchOrganization: {
    'another organization': async () => {
      const { token } = await member();
      return send(app, 'POST /organization/switch', { token, body: { organizationId: company.id } });
    },
  },
  updateOrganization: {
    'a change that renews the token': async () => {
      const { token } = await strongMember();
      const body = { settings: { requireTwoFactor: true } };
      return send(app, `PATCH /organization/${company.id}`, { token, body });
    },
  },
  setSsoRequirement: {
    'the requirement itself': async () => {
      const { token } = await strongMember();
      return send(app, `PUT /organization/${company.id}/sso-requirement`, {
        token,
        body: { required: false },
      });
    },
  },
};

/** The way that is meant. */
const byConnection = 'redeemSsoTicket';

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
}

/** The operations that answer a session, from the document. */
async function issuing(): Promise<string[]> {
  const document = (await app.inject('/api/auth/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
    components: object;
  }>();
  const referred = (schema: Schema): unknown =>
    schema.$ref
      ?.split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  const answersSession = (schema: unknown, seen: readonly unknown[] = []): boolean => {
    if (typeof schema !== 'object' || schema === null || seen.includes(schema)) return false;
    if ((schema as Schema).title === 'IssuedSession') return true;
    return [referred(schema), ...(Object.values(schema) as unknown[])].some((part) =>
      answersSession(part, [...seen, schema]),
    );
  };
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) =>
      Object.entries(responses).some(([status, answer]) => status.startsWith('2') && answersSession(answer)),
    )
    .map(({ operationId }) => operationId);
}

describe('where single sign-on is required [S-270]', () => {
  test('every operation that answers a session is tried here', async () => {
    expect((await issuing()).toSorted()).toEqual([...Object.keys(ways), byConnection].toSorted());
  });

  test('every token of a session is issued by the part that knows who is not let in', () => {
    const source = join(import.meta.dirname, '../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const issuers = files.filter((file) =>
      /accessTokens\.issue\b/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(issuers).toEqual(['sessions/session-tokens.ts']);
  });

  const all = Object.entries(ways).flatMap(([operationId, ofIt]) =>
    Object.entries(ofIt).map(([name, way]) => [operationId, name, way] as const),
  );
  test.each(all)('%s gets no token for it by %s', async (_operationId, _name, way) => {
    const { status, body } = await way();
    if (status === 403) {
      expect(body.code).toBe('SSO_REQUIRED');
      return;
    }
    expect([status, body.session.token]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
    const { organizationId, role } = claimsOf(body.session.token);
    expect(organizationId).not.toBe(company.id);
    expect(role === null || role === 'owner').toBe(true);
  });

  test('without it, all of them get one but a stranger, and what only owners and admins may do', async () => {
    await sql('UPDATE organizations SET require_sso = false WHERE id = $1', [company.id]);
    try {
      const notInside: string[] = [];
      for (const [operationId, name, way] of all) {
        const { status, body } = await way();
        const isInside = status === 200 && claimsOf(body.session.token)['organizationId'] === company.id;
        if (!isInside) notInside.push(`${operationId}: ${name}`);
      }
      expect(notInside).toEqual([
        'signUpWithEmail: a new account in the domain',
        'updateOrganization: a change that renews the token',
        'setSsoRequirement: the requirement itself',
      ]);
    } finally {
      await sql('UPDATE organizations SET require_sso = true WHERE id = $1', [company.id]);
    }
  });

  test('the connection gets one', async () => {
    const { email, id } = await member();
    const person = atStandIn(company.domain, { email });
    const { status, body } = await ssoAtStandIn(service, { company, idp, person });
    expect([status, body.user.id]).toEqual([200, id]);
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: company.id, role: 'member' });
  });

  test('a session says whose it would be, and why it is not', async () => {
    const { email, id } = await member();
    await sql('DELETE FROM organizations WHERE personal_of = $1', [id]);
    const { body } = await signIn(app, email);
    expect(body.user.organizationId).toBeNull();
    expect(body.session).toMatchObject({
      organizationRefused: { organizationId: company.id, reason: 'SSO_REQUIRED' },
    });
  });
});
