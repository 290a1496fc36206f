import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  apiOfConnections,
  arrivalsPath,
  complete,
  connectionsPath,
  requirementOf,
  requirementPath,
} from './support/connections.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { signedIn, organization } from './support/starts.ts';

const path = '/organization/access';
const on = { ...complete, enabled: true };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const put = `PUT ${requirementPath}`;
const tried = { ...requirementOf([on]), requirableUntil: '2026-11-29T13:30:00Z' };

describe('single sign-on that is required', () => {
  test('is offered once it was tried, and names who would not get in', async () => {
    await open(path, apiOfConnections([on]));
    await expect.element(page.getByText(/^Try it first: link your own account/)).toBeVisible();
    await expect.element(page.getByText(/^2 members have never signed in by it/)).toBeVisible();
    await expect.element(page.getByText('Mia Member')).toBeVisible();
    expect(button('Require single sign-on').elements()).toHaveLength(0);
  });

  test('is required after a question, and no more after another', async () => {
    let requirement = tried;
    const api = apiOfConnections([on])
      .on(`GET ${requirementPath}`, () => ({ requirement }))
      .on(put, ({ body }) => {
        requirement = { ...requirement, ...(body as { required: boolean }) };
        return { requirement };
      });
    await open(path, api);
    await button('Require single sign-on').click();
    await expect.element(page.getByText(/2 members have never done so\.$/)).toBeVisible();
    await button('Require it').click();
    await expect.element(page.getByText(/^It is required\./)).toBeVisible();
    await button('Stop requiring it').click();
    await expect.element(page.getByText(/^Everybody gets in with the ways/)).toBeVisible();
    await button('Stop requiring it').click();
    await expect.element(button('Require single sign-on')).toBeVisible();
    expect(api.sentTo(put)).toEqual([{ required: true }, { required: false }]);
  });

  test('says why it is refused, and leads an owner without a second factor to their account', async () => {
    const api = apiOfConnections([on])
      .on(`GET ${requirementPath}`, { requirement: tried })
      .on(put, new Refusal(409, 'TWO_FACTOR_REQUIRED'));
    await open(path, api);
    await button('Require single sign-on').click();
    await button('Require it').click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Go to your account' })).toBeVisible();
  });

  test('shows whom it concerns the way through the organization, on the home page and in the menu', async () => {
    const strict = organization('Globex', { accessible: false, ssoRequired: true });
    const start = signedIn([strict]);
    const api = new FakeApi({
      ...start,
      organization: null,
      session: {
        ...start.session,
        organizationRefused: { organizationId: strict.id, reason: 'SSO_REQUIRED' },
      },
    }).on('POST /api/auth/sign-in/sso', new Refusal(404, 'NOT_FOUND'));
    await open('/', api);
    await expect.element(page.getByText('Globex wants you to sign in through it')).toBeVisible();
    await button('Continue with your organization').click();
    await expect.poll(() => api.sentTo('POST /api/auth/sign-in/sso')).toMatchObject([{ slug: 'globex' }]);
  });
});

describe('what arrived', () => {
  const arrival = { kind: 'sign-in', code: 'SIGNED_IN', address: 'ada@acme.example' } as const;

  test('is said in a sentence, newest first, ten at first', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({
      ...arrival,
      at: `2026-11-29T12:00:${String(59 - n).padStart(2, '0')}Z`,
      ...(n === 0 && ({ code: 'DOMAIN_NOT_VERIFIED', address: null } as const)),
    }));
    await open(path, apiOfConnections([on]).on(`GET ${arrivalsPath}`, { arrivals: many }));
    const list = page.getByRole('list', { name: 'What arrived, newest first' });
    await expect.element(list.getByText('The address is in none of your verified domains.')).toBeVisible();
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(10);
    await button('Show 2 more').click();
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(12);
  });

  test('is nothing at first', async () => {
    await open(path, apiOfConnections([on]));
    await expect.element(page.getByText('Nothing has arrived yet.')).toBeVisible();
  });

  test('has the connection and the requirement read again where something is new', async () => {
    const api = apiOfConnections([on]).on(`GET ${arrivalsPath}`, {
      arrivals: [{ ...arrival, at: '2026-11-29T12:00:00Z' }],
    });
    await open(path, api);
    const sinceArrivals = () => {
      const operations = api.requests.map(({ operation }) => operation);
      return operations.slice(operations.indexOf(`GET ${arrivalsPath}`));
    };
    await expect.poll(sinceArrivals).toContain(`GET ${connectionsPath}`);
    await expect.poll(sinceArrivals).toContain(`GET ${requirementPath}`);
  });
});
