import { randomUUID } from 'node:crypto';
import { sized } from '../figures.ts';
import { ask, newQuote, password, type Caller } from './client.ts';

/** Asks once, and gives the status. */
export type Asked = () => Promise<number>;

/** What floods something shared, and what another tenant asks of it meanwhile. */
export interface Flood {
  readonly name: string;
  /** Requests of the flood at a time. */
  readonly parallel: number;
  /** What one of the flood asks, made ready beforehand. */
  readonly attack: (url: string, attacker: Caller) => Promise<Asked>;
  readonly probe: (url: string, honest: Caller) => Promise<Asked>;
}

const quotes = '/api/quotation/quotes';
const long = { lines: sized(40, 4), length: 4_900 };
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
  (rows: number) =>
  async (url: string, { address, token }: Caller): Promise<Asked> =>
  async () =>
    (await ask(url, { method: 'POST', path: '/api/leads/import', address, token, body: fileOf(rows) }))
      .status;

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
  { name: 'work on files', parallel: sized(16, 8), attack: importOf(2_000), probe: importOf(2) },
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
    attack: get('/api/leads'),
    probe: get('/api/leads'),
  },
  {
    name: 'malformed paths',
    parallel: sized(100, 8),
    attack: get('/api/leads/%zz'),
    probe: get('/api/leads'),
  },
];
