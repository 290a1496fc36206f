import { Client } from 'undici';

/** One request of a caller. */
export interface CallerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Somebody who makes one request after the other. */
export interface Caller {
  readonly next: () => CallerRequest;
  /** Told each answer: the next request may depend on it. */
  readonly answered?: (body: string) => void;
}

/** What a round came to. */
export interface Throughput {
  readonly requests: number;
  readonly seconds: number;
  /** Of each request, in milliseconds. */
  readonly times: readonly number[];
}

/** Callers who each make a request for one of many after the other, beginning at different places. */
export function inTurn<Of>(
  count: number,
  all: readonly Of[],
  requestOf: (one: Of) => CallerRequest,
): Caller[] {
  return Array.from({ length: count }, (_, caller) => {
    let at = Math.floor((caller * all.length) / count);
    return { next: () => requestOf(all[at++ % all.length] as Of) };
  });
}

/** Every caller on a connection of its own. An answer that is not 2xx ends it. */
export async function putLoadOn(
  origin: string,
  callers: readonly Caller[],
  seconds: number,
): Promise<Throughput> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const times = (await Promise.all(callers.map((caller) => callUntil(endsAt, origin, caller)))).flat();
  return { requests: times.length, seconds: (performance.now() - startedAt) / 1_000, times };
}

async function callUntil(endsAt: number, origin: string, { next, answered }: Caller): Promise<number[]> {
  const client = new Client(origin);
  const times: number[] = [];
  try {
    while (performance.now() < endsAt) {
      const request = next();
      const before = performance.now();
      const { status, text } = await ask(client, request);
      times.push(performance.now() - before);
      if (status >= 300) throw new Error(`${request.method} ${origin}${request.path} is ${status} ${text}`);
      answered?.(text);
    }
  } finally {
    await client.close();
  }
  return times;
}

/** By `dispatch`, which makes no stream of the answer: what the caller takes of the machine the server does not get. */
function ask(client: Client, { method, path, headers, body }: CallerRequest) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    client.dispatch(
      { method, path, headers, body: body ? JSON.stringify(body) : null },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
