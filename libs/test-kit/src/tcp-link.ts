import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP connection between two programs that can be made as bad as a network can be. */
export interface TcpLink {
  /** Where it listens on 127.0.0.1. */
  readonly port: number;
  /** Connections that are open. */
  readonly connections: number;
  /** From now on nothing arrives, in either direction; nothing is closed, and new connections are taken. */
  readonly freeze: () => void;
  /** From now on what is asked arrives, and no response does. */
  readonly freezeResponses: () => void;
  /** Each piece arrives so many milliseconds later. */
  readonly delay: (ms: number) => void;
  /** Each direction of a connection carries so many bytes a second. */
  readonly throttle: (bytesPerSecond: number) => void;
  /** Breaks every connection at once, as a firewall that restarts does; new ones work. */
  readonly reset: () => void;
  /** Leads new connections to another port, as an address does that moves to another machine. */
  readonly redirect: (target: number) => void;
  /** All is well again. What was frozen arrives. */
  readonly heal: () => void;
  close(): Promise<void>;
}

/**
 * Puts a link in front of a port of this machine, for the tests of what a bad network does.
 *
 * @example
 * const link = await startTcpLink(5432);
 * link.freeze();
 */
export async function startTcpLink(target: number): Promise<TcpLink> {
  const weather = createWeather();
  let destination = target;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const service = connect({ host: '127.0.0.1', port: destination, allowHalfOpen: true, noDelay: true });
    const pair = [client, service] as const;
    pairs.add(pair);
    // Its reader gets the error; a break after that is ignored.
    for (const socket of pair) socket.on('error', () => undefined);
    void Promise.all([
      carry(client, service, weather.passRequest),
      carry(service, client, weather.passResponse),
    ]).finally(() => pairs.delete(pair));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.size;
    },
    freeze: weather.freeze,
    freezeResponses: weather.freezeResponses,
    delay: weather.delay,
    throttle: weather.throttle,
    reset,
    redirect: (port) => void (destination = port),
    heal: weather.heal,
    async close() {
      weather.heal();
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Resolves when so many bytes may arrive. */
type Pass = (bytes: number) => Promise<void>;

function createWeather() {
  let delayMs = 0;
  let bytesPerMs = Infinity;
  const [requests, responses] = [createGate(), createGate()];
  const passOf =
    (gate: Gate): Pass =>
    async (bytes) => {
      const waitMs = delayMs + bytes / bytesPerMs;
      if (waitMs >= 1) await sleep(waitMs);
      await gate.opened();
    };
  return {
    passRequest: passOf(requests),
    passResponse: passOf(responses),
    freeze: () => {
      requests.close();
      responses.close();
    },
    freezeResponses: () => responses.close(),
    delay: (ms: number) => void (delayMs = ms),
    throttle: (bytesPerSecond: number) => void (bytesPerMs = bytesPerSecond / 1_000),
    heal: () => {
      delayMs = 0;
      bytesPerMs = Infinity;
      requests.open();
      responses.open();
    },
  };
}

type Gate = ReturnType<typeof createGate>;

function createGate() {
  let opened: Promise<void> | undefined;
  let open: () => void = () => undefined;
  return {
    opened: () => opened,
    close: () => void (opened ??= new Promise((resolve) => (open = resolve))),
    open: () => {
      open();
      opened = undefined;
    },
  };
}

/** Carries one direction to its end. The other side learns of an end or a break when a piece would arrive. */
async function carry(from: Socket, to: Socket, pass: Pass): Promise<void> {
  try {
    for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await pass(piece.length);
      if (!to.write(piece)) await once(to, 'drain');
    }
    await pass(0);
    to.end();
  } catch {
    await pass(0);
    to.resetAndDestroy();
  }
}
