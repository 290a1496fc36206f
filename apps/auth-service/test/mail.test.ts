import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@tenantry/service/logging';
import { createMailTransport, type MailTransport } from '@tenantry/service/mail';
import { createTestDatabase, testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './support/service.ts';
import { AddresseesRepository } from '../src/mail/addressees.repository.ts';
import type { Letter } from '../src/mail/letter.ts';
import { OutboxRepository } from '../src/mail/outbox.repository.ts';
import { MailWorker } from '../src/mail/mail-worker.ts';
import { Outbox } from '../src/mail/outbox.ts';
import { createTemplates } from '../src/mail/templates.ts';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';

const testDatabase = await createTestDatabase('auth-service');
const log = testLog();
const logger = createLogger({ name: 'test', level: 'trace', destination: log });
const database = openDatabase(
  { DATABASE_URL: testDatabase.runtimeUrl, DATABASE_POOL_SIZE: 5, TENANT_BINDING: 'connection' },
  logger,
);
const admin = new pg.Pool({ connectionString: testDatabase.adminUrl, max: 1 });
const secrets = new SecretRing(randomBytes(32).toString('base64'));
const repository = new OutboxRepository();
const budget = { spend: async () => undefined };
const addressees = Object.assign(new AddresseesRepository(), { isProven: async () => true });
const letters = new Outbox({ secrets, newId: randomUUID, budget, addressees });
const compose = createTemplates({
  authUrl: 'https://auth.example.com/api/auth',
  frontendUrl: 'https://app.example.com',
});

interface Received {
  readonly to: readonly string[];
  readonly message: string;
}

/** A mail server, and what it says to each message: undefined takes it on. */
async function startMailServer(verdict: (count: number) => Error | undefined = () => undefined) {
  const received: Received[] = [];
  let count = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = verdict(++count);
        if (!refusal) {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ to, message: Buffer.concat(chunks).toString() });
        }
        done(refusal);
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url, received, attempts: () => count };
}

let closing: (() => Promise<unknown>)[] = [];
let directory: string;
beforeEach(async () => {
  await admin.query('DELETE FROM mail_outbox');
  directory = await mkdtemp(join(tmpdir(), 'tenantry-mail-'));
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  await rm(directory, { recursive: true });
});
afterAll(async () => {
  await database.close();
  await admin.end();
  await testDatabase.drop();
});

function startWorker(
  smtpUrl?: string,
  options: { leaseSeconds?: number; attemptsMax?: number } = {},
): MailWorker {
  const transport = createMailTransport({ smtpUrl, directory, from: 'Tenantry <no-reply@tenantry.example>' });
  const worker = new MailWorker({
    database,
    secrets,
    compose,
    transport,
    logger,
    ...options,
  });
  worker.start();
  worker.wake();
  closing.push(() => worker.close());
  return worker;
}

/** How many attempts of a worker have failed. */
const failedBy = ({ measurements }: MailWorker) =>
  measurements.find(({ name }) => name === 'tenantry_work_total')?.read()[1];
const failed = (value: number) => ({ labels: { work: 'mail', outcome: 'failed' }, value });

const post = (letter: Letter) =>
  database.within({ userId: randomUUID() }).transaction((tx) => letters.enqueue(tx, letter));
const outbox = async () =>
  (await admin.query<Record<string, unknown>>('SELECT * FROM mail_outbox ORDER BY created_at')).rows;
/** What waits for its next attempt gets it now. */
async function hurry(worker: MailWorker): Promise<void> {
  await admin.query('UPDATE mail_outbox SET next_attempt_at = clock_timestamp()');
  worker.wake();
}
const token = randomBytes(32).toString('base64url');
const reset: Letter = { to: 'ada@example.com', template: 'reset-password', data: { name: 'Ada', token } };

describe('a letter', () => {
  test('reaches a mail server once it is committed, and leaves no token behind [S-184]', async () => {
    const server = await startMailServer();
    startWorker(server.url);
    await post(reset);
    await expect.poll(() => server.received).toHaveLength(1);

    const [{ to, message }] = server.received as [Received];
    expect(to).toEqual(['ada@example.com']);
    expect(message).toMatch(/^From: Tenantry <no-reply@tenantry\.example>\r$/m);
    expect(message).toMatch(/^Subject: Reset your password\r$/m);
    expect(message).toMatch(/^Message-ID: <[0-9a-f-]{36}@tenantry\.example>\r$/m);
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(unfolded(message)).toContain(`https://app.example.com/reset-password#token=${token}`);

    await expect.poll(async () => (await outbox())[0]?.['sent_at']).toBeInstanceOf(Date);
    expect((await outbox())[0]).toMatchObject({ payload: null, attempts: 1 });
    expect(log.text()).not.toContain(token);
  });

  test('is never sent when its transaction is rolled back', async () => {
    const server = await startMailServer();
    const worker = startWorker(server.url);
    const rolledBack = database.within({ userId: randomUUID() }).transaction(async (tx) => {
      await letters.enqueue(tx, reset);
      worker.wake();
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await post({ ...reset, to: 'bob@example.com' });
    worker.wake();
    await expect.poll(() => server.received.map(({ to }) => to)).toEqual([['bob@example.com']]);
  });

  test('goes to each of a hundred once, however many instances send', async () => {
    const server = await startMailServer();
    const addresses = Array.from({ length: 100 }, (_, n) => `user${n}@example.com`);
    for (const to of addresses) await post({ ...reset, to });
    const workers = [startWorker(server.url), startWorker(server.url), startWorker(server.url)];
    for (const worker of workers) worker.wake();
    await expect
      .poll(async () => (await outbox()).every(({ sent_at: sentAt }) => sentAt !== null))
      .toBe(true);
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
  });

  test('is tried again, later and later, while the mail server refuses it', async () => {
    const busy = Object.assign(new Error('try later'), { responseCode: 451 });
    const server = await startMailServer((count) => (count < 3 ? busy : undefined));
    const worker = startWorker(server.url, { leaseSeconds: 60 });
    await post(reset);
    for (const [attempt, pause] of [
      [1, 60],
      [2, 120],
    ] as const) {
      await expect.poll(() => failedBy(worker)).toEqual(failed(attempt));
      const due =
        'SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds FROM mail_outbox';
      const { seconds } = (await admin.query<{ seconds: number }>(due)).rows[0]!;
      expect(seconds).toBeLessThanOrEqual(pause);
      expect(seconds).toBeGreaterThan(pause - 30);
      await hurry(worker);
    }
    await expect.poll(() => server.received).toHaveLength(1);
    expect(server.attempts()).toBe(3);
    expect((await outbox())[0]?.['attempts']).toBe(3);
  });

  test('waits while there is no mail server, and is finally dropped without its token', async () => {
    const worker = startWorker('smtp://127.0.0.1:1', { attemptsMax: 3 });
    const { measurements } = worker;
    await post(reset);
    for (const attempt of [1, 2]) {
      await expect.poll(() => failedBy(worker)).toEqual(failed(attempt));
      await hurry(worker);
    }
    await expect.poll(async () => (await outbox())[0]?.['failed_at']).toBeInstanceOf(Date);
    expect((await outbox())[0]).toMatchObject({ payload: null, attempts: 3, sent_at: null });
    expect(log.text()).toContain('mail: given up');
    expect(log.text()).not.toContain(token);
    const read = (name: string) => measurements.find((one) => one.name === name)?.read();
    expect(read('tenantry_mail_total')).toContainEqual({ labels: { outcome: 'refused' }, value: 3 });
    expect(read('tenantry_work_total')).toEqual([
      { labels: { work: 'mail', outcome: 'done' }, value: 0 },
      { labels: { work: 'mail', outcome: 'failed' }, value: 3 },
      { labels: { work: 'mail', outcome: 'given_up' }, value: 1 },
    ]);
  });

  test('that waits is counted, and how long it has waited, but not what is tried later', async () => {
    expect(await repository.backlog(database.unscoped)).toEqual({ due: 0, oldestSeconds: 0 });
    await post(reset);
    await post({ ...reset, to: 'eve@example.com' });
    await repository.claim(database.unscoped, 60);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { due, oldestSeconds } = await repository.backlog(database.unscoped);
    expect(due).toBe(1);
    expect(oldestSeconds).toBeGreaterThan(0.04);
    expect(oldestSeconds).toBeLessThan(60);
  });

  test('is claimed alone, whatever the query plan: no other lease begins', async () => {
    await post(reset);
    // The plan is then one for a table of a single row.
    await admin.query('ANALYZE mail_outbox');
    for (let n = 0; n < 3; n += 1) await post({ ...reset, to: `user${n}@example.com` });
    expect(await repository.claim(database.unscoped, 60)).toBeDefined();
    const { rows } = await admin.query('SELECT id FROM mail_outbox WHERE attempts > 0');
    expect(rows).toHaveLength(1);
  });

  test('is not taken on before it can be sent: none waits in memory while its lease runs out [S-184]', async () => {
    const sending: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const transport: MailTransport = {
      concurrency: 2,
      async send(id) {
        sending.push(id);
        await gate;
        return {};
      },
      measurements: [],
      close: async () => undefined,
    };
    for (let n = 0; n < 7; n += 1) await post({ ...reset, to: `user${n}@example.com` });
    const worker = new MailWorker({ database, secrets, compose, transport, logger });
    closing.push(() => worker.close());
    worker.start();
    worker.wake();
    await expect.poll(() => sending).toHaveLength(2);
    const claimed = (await outbox()).filter(({ attempts }) => attempts === 1);
    expect(claimed.map(({ id }) => id).toSorted()).toEqual(sending.toSorted());
    open();
    await expect.poll(() => sending).toHaveLength(7);
    expect(new Set(sending).size).toBe(7);
  });

  test('is due at once: its time is stored in whole milliseconds, and rounded up in half of all cases', async () => {
    for (let n = 0; n < 100; n += 1) {
      await post(reset);
      expect(await repository.claim(database.unscoped, 60)).toBeDefined();
    }
  });

  test('that an instance has taken on and not sent is sent by another when the lease is over', async () => {
    await post(reset);
    expect(await repository.claim(database.unscoped, 60)).toBeDefined();
    const server = await startMailServer();
    const worker = startWorker(server.url);
    const to = () => server.received.map((letter) => letter.to[0]);
    await post({ ...reset, to: 'eve@example.com' });
    worker.wake();
    await expect.poll(to).toEqual(['eve@example.com']);
    // Sent and recorded as sent: otherwise it would be hurried with the other.
    await expect.poll(async () => (await outbox()).filter((row) => row['sent_at'] !== null)).toHaveLength(1);
    await hurry(worker);
    await expect.poll(to).toEqual(['eve@example.com', 'ada@example.com']);
  });

  test('is written to a file that is named in the log, without a mail server', async () => {
    startWorker();
    await post(reset);
    const written = async () => (await readdir(directory)).toSorted();
    const id = '[0-9a-f-]{36}';
    await expect.poll(async () => (await written()).join()).toMatch(RegExp(`^(${id})\\.eml,\\1\\.txt$`));
    const [name = '', text = ''] = await written();
    const message = await readFile(join(directory, name), 'utf8');
    expect(message).toContain('To: ada@example.com');
    expect(unfolded(message)).toContain(token);
    // To be read and copied from as it is.
    expect(await readFile(join(directory, text), 'utf8')).toMatch(
      new RegExp(`^To: ada@example.com\nSubject: Reset your password\n\n[^]*${token}`),
    );
    await expect.poll(() => log.text()).toContain(join(directory, name));
  });
});

describe('the text of a letter', () => {
  const hostile = '<b>Eve</b>\r\nBcc: all@example.com https://evil.example ' + 'x'.repeat(200);
  const invitation: Letter = {
    to: 'bob@example.com',
    template: 'invitation',
    data: { inviterName: hostile, organizationName: hostile, role: 'member', token },
  };

  test('shows a hostile name as text: short, on one line, no markup and no link [S-184]', () => {
    const { subject, text, html } = compose(invitation);
    expect(subject).toBe('You are invited to an organization');
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;b&gt;Eve&lt; b&gt; Bcc: all@ example. com');
    expect(text).not.toContain('https://evil');
    expect(text.split('\n').every((line) => line.length < 250)).toBe(true);
  });

  test.each([
    ['evil.example/offer', 'evil. example offer'],
    ['Win at evil.example', 'Win at evil. example'],
    ['mailto:eve@evil.example', 'mailto: eve@ evil. example'],
    ['HTTPS://EVIL.EXAMPLE', 'HTTPS: EVIL. EXAMPLE'],
    ['evil\u3002example', 'evil\u3002 example'],
    ['203.0.113.9:8080', '203. 0. 113. 9: 8080'],
    ['Acme Inc.', 'Acme Inc.'],
    ['Dr. O’Neill', 'Dr. O’Neill'],
  ])('makes no link of a name: %s [S-184]', (organizationName, shown) => {
    const data = { ...invitation.data, inviterName: 'Eve', organizationName };
    const { text, html } = compose({ ...invitation, data });
    expect(text).toContain(`“${shown}”`);
    expect(html).toContain(`“${shown}”`);
  });

  test('says which request to make where there is no front end', () => {
    const bare = createTemplates({ authUrl: 'http://127.0.0.1:8080/api/auth' });
    expect(bare(invitation).text).toContain(
      `POST http://127.0.0.1:8080/api/auth/invitations/accept with {"token":"${token}"}`,
    );
    expect(bare(reset).text).toContain(
      `/password/reset with {"token":"${token}","newPassword":"the new one"}`,
    );
  });

  test('offers a user whose password was changed a link to reset it that does not expire [S-5]', () => {
    const changed = { to: 'a@b.c', template: 'password-changed', data: { name: 'Ada' } } as const;
    expect(compose(changed).text).toContain(
      'Reset your password:\nhttps://app.example.com/forgot-password\n',
    );
    const bare = createTemplates({ authUrl: 'http://127.0.0.1:8080/api/auth' });
    expect(bare(changed).text).toContain(
      'Reset your password: POST http://127.0.0.1:8080/api/auth/password/forgot with {"email":"a@b.c"}',
    );
  });

  const name = 'Ada';
  const lostDomain = {
    ...{ name, organizationName: 'Acme', domain: 'acme.example' },
    record: { name: '_tenantry-challenge.acme.example', value: 'x'.repeat(43) },
  };
  const letters: Letter[] = [
    { to: 'a@b.c', template: 'verify-email', data: { name, token } },
    reset,
    invitation,
    { to: 'a@b.c', template: 'password-changed', data: { name } },
    {
      to: 'a@b.c',
      template: 'account-recovered',
      data: {
        scope: 'everything',
        passwordRemoved: true,
        waysRemoved: true,
        secondFactorRemoved: true,
        others: [name],
        organizations: [name],
      },
    },
    {
      to: 'a@b.c',
      template: 'confirm-new-address',
      data: { token, account: { name, email: 'old@example.com' } },
    },
    { to: 'a@b.c', template: 'email-change-requested', data: { name, newEmail: 'new@example.com' } },
    { to: 'a@b.c', template: 'email-changed', data: { name, newEmail: 'new@example.com' } },
    { to: 'a@b.c', template: 'account-locked', data: { name, lockedUntil: '2026-11-20T12:00:30Z' } },
    { to: 'a@b.c', template: 'second-factor-locked', data: { name, lockedUntil: '2026-11-20T12:15:00Z' } },
    {
      to: 'a@b.c',
      template: 'session-reuse-detected',
      data: { name, kind: 'reused', device: 'Firefox', ipAddress: '203.0.113.9' },
    },
    { to: 'a@b.c', template: 'two-factor-changed', data: { name, change: 'disabled' } },
    {
      to: 'a@b.c',
      template: 'keys-expire',
      data: {
        name,
        organizationName: 'Acme',
        keys: [{ name: 'Server', ending: 'x7Qf', expiresAt: '2026-11-20T12:00:30Z' }],
      },
    },
    {
      to: 'a@b.c',
      template: 'certificate-ends',
      data: { name, organizationName: 'Acme', endsAt: '2026-11-20T12:00:30Z' },
    },
    { to: 'a@b.c', template: 'domain-record-missing', data: lostDomain },
    { to: 'a@b.c', template: 'domain-suspended', data: lostDomain },
    { to: 'a@b.c', template: 'organization-restored', data: { name, organizationName: 'Acme' } },
  ];
  const inSwedish = letters.map((letter) => ({
    ...letter,
    reader: { language: 'sv-FI', timeZone: 'Europe/Stockholm' },
  }));
  const withoutWay = [
    'email-changed',
    'keys-expire',
    'certificate-ends',
    'domain-record-missing',
    'domain-suspended',
    'organization-restored',
  ];
  test.each(
    letters
      .filter(({ template }) => !withoutWay.includes(template))
      .map((letter) => [letter.template, letter] as const),
  )('%s leads to a page or, without one, says the whole request', (_, letter) => {
    expect(compose(letter).text).toMatch(/:\nhttps:\/\/app\.example\.com\/[\w-]+/);
    const bare = createTemplates({ authUrl: 'http://127.0.0.1:8080/api/auth' });
    expect(bare(letter).text).toMatch(/: POST http:\/\/127\.0\.0\.1:8080\/api\/auth\/[\w/-]+ with \{".+"\}/);
  });

  test.each(inSwedish.map((letter) => [letter.template, letter] as const))(
    '%s comes in the language of its reader, to the same link',
    (_, letter) => {
      const [swedish, english] = [compose(letter), compose({ ...letter, reader: undefined })];
      const linkOf = (text: string) => /https:\/\/app\S+/.exec(text)?.[0];
      expect(linkOf(swedish.text)).toBe(linkOf(english.text));
      expect(swedish.subject).not.toBe(english.subject);
      const paragraphs = english.text.split('\n\n').filter((part) => !part.startsWith('Tenantry'));
      expect(paragraphs.filter((part) => swedish.text.includes(part))).toEqual([]);
    },
  );

  test('is English where there are no letters in the language of its reader', () => {
    const german = { ...reset, reader: { language: 'de-DE', timeZone: 'Europe/Berlin' } };
    expect(compose(german)).toEqual(compose(reset));
  });

  test('says when something ends in the time zone of its reader, or in UTC', () => {
    const locked: Letter = {
      to: 'a@b.c',
      template: 'account-locked',
      data: { name: 'Ada', lockedUntil: '2026-11-20T12:00:30Z' },
    };
    expect(compose(locked).text).toContain('locked until 20 November 2026 at 12:00 UTC.');
    const reader = { language: 'sv', timeZone: 'Europe/Stockholm' };
    expect(compose({ ...locked, reader }).text).toContain('låst till 20 november 2026 kl. 13:00 CET.');
  });

  test.each([
    ['en', 'en'],
    ['sv-SE', 'sv'],
  ] as const)('asks in %s for one thing, by one button, and is readable in the dark', (language, lang) => {
    const { html } = compose({ ...reset, reader: { language, timeZone: null } });
    expect(html).toContain(`<html lang="${lang}">`);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('<meta name="color-scheme" content="light dark" />');
    // Programs turn colours round by themselves: text has none of its own.
    expect(html.replaceAll(/<a [^>]*>/g, '')).not.toMatch(/[\s;"]color: #/);
  });

  test('leads to pages without two slashes where FRONTEND_URL ends with one', () => {
    const withSlash = createTemplates({
      authUrl: 'https://auth.example.com/api/auth',
      frontendUrl: 'https://app.example.com/',
    });
    expect(withSlash(reset)).toEqual(compose(reset));
  });

  test.each([...letters, ...inSwedish].map((letter) => [letter.template, letter] as const))(
    '%s says the same in both forms',
    (_, letter) => {
      const { subject, text, html } = compose(letter);
      expect(subject.length).toBeGreaterThan(10);
      for (const sentence of text.split('\n\n').map((part) => part.trim())) {
        const words = sentence.split(/[\s:]+/).slice(0, 3);
        for (const word of words)
          expect(html).toContain(word.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
      }
    },
  );
});

/** A message without the line breaks of quoted-printable (RFC 2045, 6.7). */
function unfolded(message: string): string {
  return message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}
