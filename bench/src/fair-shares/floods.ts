import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sized } from '../figures.ts';
import { ask, newQuote, password, type Caller } from './client.ts';

/** Asks once, and gives the status. */
export type Asked = () => Promise<number>;

/** What floods something shared, and what another tenant asks of it meanwhile. */
export interface Flood {
  readonly name: string;
  /** Requests of the flood at a time. */
  readonly parallel: number;
  /** Whether a limit on the number of requests is what protects others from it. */
  readonly costsLittle?: boolean;
  /** What one of the flood asks, made ready beforehand. */
  readonly attack: (url: string, attacker: Caller) => Promise<Asked>;
  readonly probe: (url: string, honest: Caller) => Promise<Asked>;
}

const quotes = '/api/quotation/quotes';
const long = { lines: sized(40, 4), length: 4_900 };
/** Beyond what is read without a turn. */
const large = { lines: sized(300, 250), length: 3_000 };
const fileOf = (rows: number): string =>
  `name,email\n${Array.from({ length: rows }, (_, n) => `Ada,ada${n}@example.com`).join('\n')}\n`;

const get =
  (path: string) =>
  async (url: string, { address, token }: Caller): Promise<Asked> =>
  async () =>
    (await ask(url, { path, address, token })).status;

const signIn =
  async (url: string, { address, email }: Caller): Promise<Asked> =>
  async () => {
    const body = { email, password };
    return (await ask(url, { method: 'POST', path: '/api/auth/sign-in/email', address, body })).status;
  };

const pdfOf =
  (size: { readonly lines: number; readonly length: number }) =>
  async (url: string, caller: Caller): Promise<Asked> =>
    get(`${quotes}/${await newQuote(url, caller, size)}/pdf`)(url, caller);

const importOf =
  (body: () => string | Readable) =>
  async (url: string, { address, token }: Caller): Promise<Asked> =>
  async () =>
    (await ask(url, { method: 'POST', path: '/api/leads/import', address, token, body: body() })).status;

/** A file that arrives at 700 bytes a second, for so many seconds. */
const trickling = (seconds: number) => (): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from('name,email\n');
      for (let n = 0; n < seconds; n += 1) {
        await sleep(1_000);
        yield Buffer.from('Ada Augusta,ada@example.com\n'.repeat(25));
      }
    })(),
  );

const changeOf =
  (path: string, body: () => object) =>
  async (url: string, { address, token }: Caller): Promise<Asked> =>
  async () =>
    (await ask(url, { method: 'PATCH', path, address, token, body: body() })).status;

/** In the order of docs/fair-shares.md. */
export const floods: readonly Flood[] = [
  {
    name: 'password hashing',
    parallel: sized(90, 8),
    attack:
      async (url, { address, token }) =>
      async () => {
        const body = { email: `${randomUUID()}@bench.example`, password, firstName: 'Bo', lastName: 'Flood' };
        return (await ask(url, { method: 'POST', path: '/api/users', address, token, body })).status;
      },
    probe: signIn,
  },
  {
    name: 'PDF threads',
    parallel: sized(24, 8),
    attack: pdfOf(long),
    probe: pdfOf({ lines: 3, length: 40 }),
  },
  {
    name: 'work on files',
    parallel: sized(16, 8),
    attack: importOf(() => fileOf(2_000)),
    probe: importOf(() => fileOf(2)),
  },
  {
    name: 'uploads on their way',
    parallel: sized(60, 8),
    attack: importOf(trickling(sized(5, 1))),
    probe: importOf(() => fileOf(2)),
  },
  {
    name: 'large quotes',
    parallel: sized(30, 8),
    attack: async (url, caller) => get(`${quotes}/${await newQuote(url, caller, large)}`)(url, caller),
    probe: async (url, caller) =>
      get(`${quotes}/${await newQuote(url, caller, { lines: 3, length: 40 })}`)(url, caller),
  },
  {
    name: 'changes of profiles',
    parallel: sized(60, 8),
    costsLittle: true,
    attack: changeOf('/api/auth/user', () => ({ name: `Ada ${randomUUID()}` })),
    probe: get('/api/auth/session'),
  },
  {
    name: 'database connections',
    parallel: sized(30, 8),
    async attack(url, caller) {
      const id = await newQuote(url, caller, long);
      const { address, token } = caller;
      return async () =>
        (await ask(url, { method: 'POST', path: `${quotes}/${id}/duplicate`, address, token })).status;
    },
    probe: get(quotes),
  },
  {
    name: 'requests at a service',
    parallel: sized(400, 8),
    costsLittle: true,
    attack: get('/api/leads'),
    probe: get('/api/leads'),
  },
  {
    name: 'malformed paths',
    parallel: sized(100, 8),
    costsLittle: true,
    attack: get('/api/leads/%zz'),
    probe: get('/api/leads'),
  },
];
