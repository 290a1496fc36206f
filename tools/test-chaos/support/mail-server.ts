import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The parts of a letter that tests compare. */
export interface Letter {
  readonly to: string;
  /** Message-ID: the same at every attempt to send it. */
  readonly id: string;
}

/** A mail server that keeps what it was sent. */
export interface MailServer {
  readonly port: number;
  /** In the order of arrival. */
  readonly letters: readonly Letter[];
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (piece) => (text += String(piece)));
      stream.on('end', () => {
        const id = /^Message-ID: (.+)$/im.exec(text)?.[1] ?? '';
        letters.push(...session.envelope.rcptTo.map(({ address }) => ({ to: address, id })));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    letters,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
