import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';

/** A letter as it is read. */
export interface ComposedLetter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The way letters leave. */
export interface MailTransport {
  /** How many letters it sends at a time: one more would wait, and its lease run out. */
  readonly concurrency: number;
  /** Rejects when it was not taken on; `location` is where a file of it lies, if it does. */
  send(id: string, letter: ComposedLetter): Promise<{ readonly location?: string }>;
  close(): Promise<void>;
}

/** Where letters go. */
export interface MailTransportOptions {
  /** The mail server; without one, letters become files. */
  readonly smtpUrl?: string | undefined;
  readonly directory: string;
  /** The sender, as in the From field. */
  readonly from: string;
}

/** The same letter sent twice, after a crash, is the same message to every mail program. */
const messageOf = (id: string, from: string, letter: ComposedLetter) => {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const headers = { 'Auto-Submitted': 'auto-generated' };
  return { from, ...letter, messageId: `<${id}@${domain}>`, headers };
};

/** Makes the transport: SMTP (RFC 5321), or files: one that any mail program opens, and its text for the eye. */
export function createMailTransport({ smtpUrl, directory, from }: MailTransportOptions): MailTransport {
  return smtpUrl === undefined ? fileTransport(resolve(directory), from) : smtpTransport(smtpUrl, from);
}

const concurrency = 2;

function smtpTransport(url: string, from: string): MailTransport {
  const timeouts = {
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    dnsTimeout: 5_000,
  };
  const transport = createTransport({ url, pool: true, maxConnections: concurrency, ...timeouts });
  return {
    concurrency,
    async send(id, letter) {
      await transport.sendMail(messageOf(id, from, letter));
      return {};
    },
    async close() {
      transport.close();
    },
  };
}

function fileTransport(directory: string, from: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    concurrency,
    async send(id, letter) {
      const { message } = await transport.sendMail(messageOf(id, from, letter));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const location = join(directory, `${id}.eml`);
      // In a message long lines are folded, so that no token could be copied out of it.
      await place(join(directory, `${id}.txt`), textOf(letter));
      await place(location, message as Buffer);
      return { location };
    },
    async close() {
      transport.close();
    },
  };
}

/** Renamed into place: a program that watches the directory finds only complete e-mails. */
async function place(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

const textOf = ({ to, subject, text }: ComposedLetter): string => `To: ${to}\nSubject: ${subject}\n\n${text}`;
