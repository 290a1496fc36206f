import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { patience } from '@tenantry/test-kit';
import { onTestFinished, vi } from 'vitest';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request through node:http; headers are sent exactly as given. */
export function send(
  port: number,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, ...options }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A raw connection that remembers what it reads. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  closed = false;
  error: NodeJS.ErrnoException | undefined;

  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    this.socket
      .on('data', (data) => (this.received += data.toString('latin1')))
      .on('error', (error) => (this.error = error))
      .on('close', () => (this.closed = true));
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  write(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Resolves with everything read once it matches. */
  async until(pattern: RegExp): Promise<string> {
    await eventually(
      () => pattern.test(this.received),
      () => `received: ${JSON.stringify(this.received)}`,
    );
    return this.received;
  }

  async untilClosed(): Promise<string> {
    await eventually(
      () => this.closed,
      () => `still open after: ${JSON.stringify(this.received)}`,
    );
    return this.received;
  }
}

/** Sends raw bytes on a connection of their own and gives what comes back before it is closed. */
export async function exchange(port: number, text: string): Promise<string> {
  return new RawClient(port).write(text).untilClosed();
}

/** Waits until something holds; fails loudly when it does not come to hold. */
export async function eventually(holds: () => boolean, describe = () => ''): Promise<void> {
  const deadline = performance.now() + patience();
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`did not come to pass; ${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Holds the clock still that never jumps: what is so for a while is so until the test has time pass. */
export function holdClock(): { readonly pass: (ms: number) => void } {
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  return { pass: (ms) => void (nowMs += ms) };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
