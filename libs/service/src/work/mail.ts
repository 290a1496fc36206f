import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inSpan } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import { createTransport } from 'nodemailer';
import type { Measurement } from '../metrics/measurement.ts';

export { letterPage, type LetterPage } from './letter-page.ts';

/** An e-mail. */
export interface ComposedMail {
  readonly to: string;
  /** The address for replies; default: the sender. */
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailAttachment[];
}

/** An attachment. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** The name by which the HTML shows it, in place of a file to open. */
  readonly cid?: string;
}

/** Sends mail. */
export interface MailTransport {
  /** Maximum mails sent in parallel: a further one waits while its worker's lease runs. */
  readonly concurrency: number;
  /**
   * Rejects when the mail was not accepted; `location` is the file that it was written to, if it was.
   *
   * @param id the same at every attempt: a mail that is sent twice, after a crash, is one message to mail programs
   */
  send(id: string, mail: ComposedMail): Promise<{ readonly location?: string }>;
  /** Counts of sent and refused mail. */
  readonly measurements: readonly Measurement[];
  close(): Promise<void>;
}

/** Settings of the transport. */
export interface MailTransportOptions {
  /** The mail server; without one, mail is written to files. */
  readonly smtpUrl?: string | undefined;
  readonly directory: string;
  /** The sender, as in the From field. */
  readonly from: string;
  /** Connections to the mail server; default 4. */
  readonly concurrency?: number;
}

const messageOf = (id: string, from: string, { attachments = [], ...mail }: ComposedMail) => {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const headers = { 'Auto-Submitted': 'auto-generated' };
  return { from, ...mail, attachments: [...attachments], messageId: `<${id}@${domain}>`, headers };
};

/**
 * Makes the transport: SMTP (RFC 5321), or files, one that any mail program opens and its text to be read as it is.
 * Sending takes 20 s at most.
 */
export function createMailTransport(options: MailTransportOptions): MailTransport {
  const { smtpUrl, directory, from, concurrency = 4 } = options;
  const transport =
    smtpUrl === undefined
      ? fileTransport(resolve(directory), from)
      : smtpTransport(smtpUrl, { from, concurrency });
  return { concurrency, ...observed(transport) };
}

type Transport = Pick<MailTransport, 'send' | 'close'>;

/** Makes sending a span, and counts sent and refused mail. */
function observed(transport: Transport): Omit<MailTransport, 'concurrency'> {
  const counts = { sent: 0, refused: 0 };
  return {
    ...transport,
    async send(id, mail) {
      try {
        refuseInTransaction('send mail');
        const sent = await inSpan('send mail', { kind: 'client' }, () => transport.send(id, mail));
        counts.sent += 1;
        return sent;
      } catch (error) {
        counts.refused += 1;
        throw error;
      }
    },
    measurements: [
      {
        name: 'tenantry_mail_total',
        help: 'Attempts to send an e-mail: sent, or refused by a mail server that may also not be there at all',
        type: 'counter',
        read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
  };
}

function smtpTransport(
  url: string,
  { from, concurrency }: { readonly from: string; readonly concurrency: number },
): Transport {
  const timeouts = {
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    dnsTimeout: 5_000,
  };
  const transport = createTransport({ url, pool: true, maxConnections: concurrency, ...timeouts });
  return {
    async send(id, mail) {
      await transport.sendMail(messageOf(id, from, mail));
      return {};
    },
    async close() {
      transport.close();
    },
  };
}

function fileTransport(directory: string, from: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(id, mail) {
      const { message } = await transport.sendMail(messageOf(id, from, mail));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const location = join(directory, `${id}.eml`);
      // Long lines are folded in a message, so a token could not be copied from it.
      await place(join(directory, `${id}.txt`), textOf(mail));
      await place(location, message as Buffer);
      return { location };
    },
    async close() {
      transport.close();
    },
  };
}

/** Renamed into place, so that a reader of the directory finds only complete files, also after a power failure. */
async function place(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

function textOf({ to, replyTo, subject, text }: ComposedMail): string {
  const answersTo = replyTo === undefined ? '' : `Reply-To: ${replyTo}\n`;
  return `To: ${to}\n${answersTo}Subject: ${subject}\n\n${text}`;
}
