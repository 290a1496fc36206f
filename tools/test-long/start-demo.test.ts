import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';
import { call, newTenant, signIn } from '../test/support/client.ts';
import { processesOf } from '../test/support/processes.ts';
import { npmStart, type Tenantry } from '../test/support/tenantry.ts';

interface QuoteList {
  readonly data: readonly { readonly title: string; readonly status: string; readonly validUntil: string }[];
}

describe('npm start -- --demo', () => {
  let root: string;
  let running: Tenantry | undefined;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'tenantry-demo-')));
    await copyCheckout(root);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(async () => {
    for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  const start = async (...args: string[]) => (running = await npmStart(root, args));

  it('seeds the demo once however often it is asked to, and starts over with --fresh', async () => {
    const printedSignIn = ({ url, output }: Tenantry) => {
      const [, email = '', password = ''] = /(\S+@\S+)\s+(\S+)$/m.exec(output.stdout) ?? [];
      return signIn(url, { email, password });
    };
    const first = await start('--demo');
    const seeded = await call(first.url, 'GET /api/leads', await printedSignIn(first));
    expect(seeded.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ status: 'won' })]) as unknown,
    });
    const people = await call(first.url, 'GET /api/users', await printedSignIn(first));
    expect(people.body).toMatchObject({ meta: { total: 3 } });
    const quotesOf = async (tenantry: Tenantry) => {
      const token = await printedSignIn(tenantry);
      return (await call<QuoteList>(tenantry.url, 'GET /api/quotation/quotes?pageSize=100', token)).body;
    };
    const quotes = await quotesOf(first);
    expect(quotes.data.map(({ title, status }) => `${title}: ${status}`).sort()).toEqual([
      'Bathroom: draft',
      'Garden wall: rejected',
      'Gymnasium floor: sent',
      'Kitchen, second floor: accepted',
      'New windows: draft',
      'Roof of the boathouse: sent',
      'Stairwell, twelve floors: accepted',
      'Terrace in larch: accepted',
      'Winter insulation: sent',
    ]);
    expect(quotes.data.filter(({ validUntil }) => Date.parse(validUntil) < Date.now())).toMatchObject([
      { title: 'Winter insulation' },
    ]);
    const signedIn = await printedSignIn(first);
    const session = await call<{ organization: { id: string } }>(
      first.url,
      'GET /api/auth/session',
      signedIn,
    );
    const logo = await fetch(`${first.url}/api/auth/organization/${session.body.organization.id}/logo`, {
      headers: { authorization: `Bearer ${signedIn.token}` },
    });
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    // Something happened in most of the last twelve weeks, so that charts look like charts.
    const weeksOf = async (path: '/api/leads/statistics' | '/api/quotation/statistics') => {
      const { body } = await call<{ data: { series: readonly object[] } }>(
        first.url,
        `GET ${path}?interval=week`,
        signedIn,
      );
      return body.data.series.filter((week) => /"(?:quotes|new)":[1-9]/.test(JSON.stringify(week))).length;
    };
    expect(await weeksOf('/api/leads/statistics')).toBeGreaterThan(8);
    expect(await weeksOf('/api/quotation/statistics')).toBeGreaterThan(5);
    // Who invites people has confirmed an address.
    const invited = await call(
      first.url,
      `POST /api/auth/organization/${session.body.organization.id}/invitations`,
      { ...signedIn, body: { email: 'guest@nordlys.example', role: 'member' } },
    );
    expect(invited.status).toBe(201);
    expect(first.output.stderr).toMatch(/demo: Nordlys Bygg .* s/);
    const { email, password } = await newTenant(first.url, 'Ada');
    await first.stop();

    const second = await start('--demo');
    const again = await call(second.url, 'GET /api/leads', await printedSignIn(second));
    expect(again.body).toEqual(seeded.body);
    const still = await call(second.url, 'GET /api/users', await printedSignIn(second));
    expect(still.body).toEqual(people.body);
    expect(await quotesOf(second)).toEqual(quotes);
    await second.stop();

    const { url } = await start('--fresh');
    expect((await call(url, 'POST /api/auth/sign-in/email', { body: { email, password } })).status).toBe(401);
  });
});
