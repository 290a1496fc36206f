import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A real mail server, which keeps what it accepts. */
export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The RCPT commands, as clients wrote them: the server itself reads A-labels as what they stand for. */
  commands(): readonly string[];
  /** What it does from now on with a mail that is offered. */
  behave(how: 'accept' | 'refuse'): void;
  close(): Promise<void>;
}

/** A mail as it arrived. */
export interface ReceivedMail {
  readonly recipients: readonly string[];
  /** The whole message, quoted-printable lines joined. */
  readonly message: string;
}

/** Starts a mail server; on a port of its own unless one is named. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let behavior: 'accept' | 'refuse' = 'accept';
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(
        behavior === 'refuse' ? Object.assign(new Error('mailbox busy'), { responseCode: 450 }) : undefined,
      );
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          recipients: envelope.rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  const written: Buffer[] = [];
  listener.on('connection', (socket: Socket) => socket.on('data', (chunk: Buffer) => written.push(chunk)));
  await once(listener, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    received,
    commands: () =>
      Buffer.concat(written)
        .toString()
        .match(/^RCPT TO:.*$/gm) ?? [],
    behave: (how) => {
      behavior = how;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
