import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  createAsk,
  signIn,
  signUp,
  type Account,
  type Ask,
  type Question,
  type Reply,
  type Session,
} from './client.ts';

/** What a person does, again and again. */
export type Deed = 'sign-in' | 'refresh' | 'session' | 'create' | 'patch' | 'list';

/** One request and what came of it. */
export interface Answer {
  readonly deed: Deed;
  /** Milliseconds of performance.now(). */
  readonly askedAt: number;
  readonly tookMs: number;
  /** 0 where the connection broke, or nothing came in time. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** What a failure says. */
  readonly text: string;
}

/** People who use the API at the same time, and remember every answer. */
export interface Load {
  readonly answers: readonly Answer[];
  /** Answers to what was asked from then on. */
  since(askedAt: number): readonly Answer[];
  /** Resolves when everyone has come round so many times more, whatever the answers were. */
  rounds(count: number): Promise<void>;
  /** Resolves when everyone has ended the round that they are in. */
  stop(): Promise<void>;
  /** Reads everything back: what was acknowledged is there, and nothing was made twice. */
  expectNothingLost(): Promise<void>;
}

/** How much, and where. */
export interface LoadOptions {
  /** Addresses of gateways; those that are ready are asked in turn, as a load balancer does. */
  readonly urls: readonly string[];
  readonly people: number;
  /** Between two requests of one person. */
  readonly pauseMs?: number;
}

const roundsPerSignIn = 8;

/** Signs people up and sends them off. */
export async function startLoad({ urls, people, pauseMs = 20 }: LoadOptions): Promise<Load> {
  const answers: Answer[] = [];
  const ending = new AbortController();
  const nextUrl = balancer(urls, ending.signal);
  const crowd = await Promise.all(
    Array.from({ length: people }, () => newPerson(nextUrl, (answer) => answers.push(answer))),
  );
  const walks = crowd.map((person, index) => walk(person, { pauseMs, index, signal: ending.signal }));
  // A defect of the test itself is thrown by stop(); until then it is not awaited.
  for (const each of walks) each.catch(() => undefined);
  return {
    answers,
    since: (askedAt) => answers.filter((answer) => answer.askedAt >= askedAt),
    async rounds(count) {
      const goals = crowd.map(({ roundsDone }) => roundsDone + count);
      while (crowd.some(({ roundsDone }, index) => roundsDone < (goals[index] ?? 0))) {
        await Promise.race([sleep(20), ...walks]);
      }
    },
    async stop() {
      ending.abort();
      await Promise.all(walks);
    },
    async expectNothingLost() {
      await Promise.all(crowd.map(expectKept));
    },
  };
}

const linesMax = 20;

/** What did not succeed, as lines that say enough to find out why. */
export function failuresAmong(answers: readonly Answer[]): string[] {
  const lines = answers
    .filter(({ status }) => status < 200 || status >= 300)
    .map(
      ({ deed, status, tookMs, text }) =>
        `${deed} ${status} after ${Math.round(tookMs)} ms: ${text.slice(0, 200)}`,
    );
  return lines.length > linesMax
    ? [...lines.slice(0, linesMax), `and ${lines.length - linesMax} more`]
    : lines;
}

interface Person extends Account {
  roundsDone: number;
  /** The latest note of each lead, by id, as far as it was acknowledged. */
  readonly notes: Map<string, number>;
  /** A lead whose creation was not acknowledged yet; it is tried again under the same key. */
  unconfirmed: { readonly key: string; readonly email: string } | undefined;
  readonly ask: Ask;
  readonly record: (answer: Answer) => void;
}

async function newPerson(nextUrl: () => string, record: (answer: Answer) => void): Promise<Person> {
  const ask = createAsk(nextUrl);
  return {
    ...(await signUp(ask)),
    ...{ ask, record },
    roundsDone: 0,
    notes: new Map(),
    unconfirmed: undefined,
  };
}

const probeMs = 100;

/** Gives the addresses in turn, without those that are not ready; all of them where none is. */
function balancer(urls: readonly string[], signal: AbortSignal): () => string {
  let ready = urls;
  const probe = async () => {
    const states = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/api/health/ready`).catch(() => undefined))?.ok ?? false),
    );
    const found = urls.filter((_url, index) => states[index]);
    ready = found.length > 0 ? found : urls;
  };
  if (urls.length > 1) {
    const timer = setInterval(() => void probe(), probeMs);
    signal.addEventListener('abort', () => clearInterval(timer));
  }
  let turn = 0;
  return () => ready[(turn += 1) % ready.length] ?? '';
}

interface Walk {
  readonly pauseMs: number;
  readonly index: number;
  readonly signal: AbortSignal;
}

async function walk(person: Person, { pauseMs, index, signal }: Walk): Promise<void> {
  while (!signal.aborted) {
    for (const deed of [refresh, session, create, patch, list]) {
      await deed(person);
      await sleep(pauseMs);
    }
    if ((person.roundsDone + index) % roundsPerSignIn === 0) await signInAgain(person);
    person.roundsDone += 1;
  }
}

/** Asks, and remembers what came of it. */
async function does(person: Person, deed: Deed, question: Question): Promise<Reply> {
  const askedAt = performance.now();
  const reply = await person.ask(question);
  person.record({
    deed,
    askedAt,
    tookMs: performance.now() - askedAt,
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    text: reply.status < 300 && reply.status >= 200 ? '' : reply.text,
  });
  return reply;
}

function takeSession(person: Person, { status, text }: Reply): void {
  if (status !== 200) return;
  const { session } = JSON.parse(text) as { session: Session };
  person.token = session.token;
  person.refreshToken = session.refreshToken;
}

async function signInAgain(person: Person): Promise<void> {
  const { email, password } = person;
  const question = { method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } };
  takeSession(person, await does(person, 'sign-in', question));
}

async function refresh(person: Person): Promise<void> {
  const { refreshToken } = person;
  const question = { method: 'POST', path: '/api/auth/refresh', body: { refreshToken } };
  takeSession(person, await does(person, 'refresh', question));
}

async function session(person: Person): Promise<void> {
  await does(person, 'session', { method: 'GET', path: '/api/auth/session', token: person.token });
}

async function create(person: Person): Promise<void> {
  const { token } = person;
  const lead = (person.unconfirmed ??= { key: randomUUID(), email: `${randomUUID()}@lead.example` });
  const body = { name: 'Charles Babbage', email: lead.email };
  const reply = await does(person, 'create', {
    method: 'POST',
    path: '/api/leads',
    body,
    token,
    key: lead.key,
  });
  if (reply.status !== 201) return;
  const { data } = JSON.parse(reply.text) as { data: { id: string } };
  person.notes.set(data.id, 0);
  person.unconfirmed = undefined;
}

async function patch(person: Person): Promise<void> {
  const { token, notes } = person;
  const [id, note] = [...notes].at(-1) ?? [];
  if (id === undefined || note === undefined) return;
  const body = { notes: String(note + 1) };
  const reply = await does(person, 'patch', { method: 'PATCH', path: `/api/leads/${id}`, body, token });
  if (reply.status === 200) notes.set(id, note + 1);
}

async function list(person: Person): Promise<void> {
  await does(person, 'list', { method: 'GET', path: '/api/leads?pageSize=10', token: person.token });
}

interface Page {
  readonly data: readonly { readonly id: string; readonly email: string }[];
  readonly meta: { readonly total: number };
}

async function expectKept({ ask, notes, unconfirmed, ...account }: Person): Promise<void> {
  const { token } = await signIn(ask, account);
  const read = async <Body>(path: string) => {
    const { status, text } = await ask({ method: 'GET', path, token });
    expect(status, text).toBe(200);
    return JSON.parse(text) as Body;
  };
  const found: string[] = [];
  for (let page = 1, total = 1; found.length < total; page += 1) {
    const { data, meta } = await read<Page>(`/api/leads?pageSize=100&page=${page}`);
    if (data.length === 0) break;
    // What was not acknowledged may have been done all the same.
    found.push(...data.filter((lead) => lead.email !== unconfirmed?.email).map(({ id }) => id));
    total = meta.total - (unconfirmed ? 1 : 0);
  }
  expect(found.toSorted()).toEqual([...notes.keys()].toSorted());
  for (const [id, note] of [...notes].slice(-20)) {
    const { data } = await read<{ data: { notes: string | null } }>(`/api/leads/${id}`);
    expect(Number(data.notes ?? 0), `the note of ${id}`).toBeGreaterThanOrEqual(note);
  }
}
