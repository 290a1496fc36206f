import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMailTransport, type ComposedMail, type MailTransport } from '@tenantry/service/mail';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFixture } from './fixture/database.ts';

const id = '0198a1b2-0000-7000-8000-000000000001';
const from = 'Tenantry <no-reply@tenantry.example>';
const mail: ComposedMail = {
  to: 'ada@example.com',
  subject: 'Your quote',
  text: `https://app.example.com/quote#token=${'x'.repeat(90)}\n`,
  html: '<p>Your quote</p>',
  attachments: [{ filename: 'quote.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
};

let directory: string;
let closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mail-'));
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  await rm(directory, { recursive: true });
});

function open(smtpUrl?: string): MailTransport {
  const transport = createMailTransport({ smtpUrl, directory, from });
  closing.push(() => transport.close());
  return transport;
}

/** A mail server that keeps what it accepts, and refuses one recipient. */
async function startMailServer() {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('nobody') ? Object.assign(new Error('no'), { responseCode: 550 }) : undefined);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { received, url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}

describe('mail by a mail server', () => {
  it('arrives with its attachments, under the same message id at every attempt', async () => {
    const { received, url } = await startMailServer();
    const transport = open(url);
    expect(await transport.send(id, mail)).toEqual({});
    await transport.send(id, mail);
    expect(received).toHaveLength(2);
    for (const message of received) {
      expect(message).toMatch(new RegExp(`^Message-ID: <${id}@tenantry\\.example>\r$`, 'm'));
      expect(message).toMatch(/^From: Tenantry <no-reply@tenantry\.example>\r$/m);
      expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(message).toContain('filename=quote.pdf');
      expect(message).toContain(Buffer.from('%PDF-1.7').toString('base64'));
    }
  });

  it('rejects what the server refuses, and what it does not take', async () => {
    const { url } = await startMailServer();
    await expect(open(url).send(id, { ...mail, to: 'nobody@example.com' })).rejects.toMatchObject({
      responseCode: 550,
    });
    await expect(open('smtp://127.0.0.1:1').send(id, mail)).rejects.toThrow();
  });
});

it('mail is not sent in a transaction, which would wait for the mail server [S-109]', async () => {
  const fixture = await createFixture();
  onTestFinished(() => fixture.drop());
  const tenant = fixture.open().within({ organizationId: id });
  await expect(tenant.transaction(() => open().send(id, mail))).rejects.toMatchObject({
    code: 'NETWORK_IN_TRANSACTION',
  });
});

describe('mail without a mail server', () => {
  it('becomes a message and a text that can be copied from, for the owner of the directory alone', async () => {
    const { location } = await open().send(id, mail);
    expect(location).toBe(join(directory, `${id}.eml`));
    expect(await readFile(String(location), 'utf8')).toContain('Subject: Your quote');
    expect(await readFile(join(directory, `${id}.txt`), 'utf8')).toBe(
      `To: ada@example.com\nSubject: Your quote\n\n${mail.text}`,
    );
    expect((await stat(String(location))).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toHaveLength(2);
  });
});
