/**
 * What the time of a response reveals about an account, over interleaved samples:
 *
 *     npm run bench -- enumeration [samples]
 *
 * Goal: sign-ins with an unknown address, a wrong password and a disabled account give identical bytes, and medians
 * within 5 % of each other; so do requests for a reset and for another verification mail.
 */
import { randomUUID } from 'node:crypto';
import { password, post, signUp, startAuthService, type Account } from './auth-process.ts';
import { median, report, sized } from './figures.ts';

const samples = Number(process.argv[2] ?? sized(300, 4));
const tolerance = 0.05;
/** A cost at which what surrounds the hash weighs more than it does at the standard one. */
const cost = '10';
/** Each takes a part of the samples, so that none is locked. */
const addressesPerKind = 4;

/** One request, by the kind of address that it is made for. */
type Ask = (n: number) => Promise<Awaited<ReturnType<typeof post>>>;

const service = await startAuthService({
  BCRYPT_COST: cost,
  LOCKOUT_THRESHOLD: '100',
  LOCKOUT_DISABLE_AFTER: '10000',
});
try {
  const known = await accounts();
  const disabled = await accounts();
  for (const { id } of disabled)
    await service.sql('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
  const unknown = Array.from({ length: addressesPerKind }, () => ({ email: `${randomUUID()}@example.com` }));

  const ask =
    (path: string, addresses: readonly Pick<Account, 'email'>[], body: object = {}): Ask =>
    (n) => {
      const { email } = addresses[n % addresses.length] ?? { email: '' };
      return post(`${service.url}/api/auth${path}`, { email, ...body }, { 'x-request-id': 'same' });
    };
  await compare('sign-in', {
    'unknown address': ask('/sign-in/email', unknown, { password }),
    'wrong password': ask('/sign-in/email', known, { password: 'a wrong password' }),
    'disabled account': ask('/sign-in/email', disabled, { password }),
  });
  for (const path of ['/password/forgot', '/email/resend']) {
    await compare(path, { 'unknown address': ask(path, unknown), 'known address': ask(path, known) });
  }
} finally {
  await service.stop();
}
process.exit();

async function accounts(): Promise<Account[]> {
  const made = [];
  for (let n = 0; n < addressesPerKind; n += 1) made.push(await signUp(service));
  return made;
}

/** Asks each kind in turn, beginning with another one every time. */
async function compare(title: string, kinds: Readonly<Record<string, Ask>>): Promise<void> {
  const names = Object.keys(kinds);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  const answers = new Set<string>();
  for (let n = -3; n < samples; n += 1) {
    for (let offset = 0; offset < names.length; offset += 1) {
      const name = names[(((n + offset) % names.length) + names.length) % names.length] ?? '';
      const startedAt = performance.now();
      const answer = await kinds[name]?.(Math.max(n, 0));
      const elapsed = performance.now() - startedAt;
      // The first ones warm up.
      if (n < 0 || !answer) continue;
      times.get(name)?.push(elapsed);
      const headers = [...answer.headers].filter(([header]) => header !== 'date');
      answers.add(JSON.stringify([answer.status, headers, answer.text]));
    }
  }
  const medians = [...times].map(([name, values]) => [name, median(values)] as const);
  for (const [name, ms] of medians) console.log(`${title.padEnd(17)} ${name.padEnd(17)} ${ms.toFixed(2)} ms`);
  const all = medians.map(([, ms]) => ms);
  const spread = Math.max(...all) / Math.min(...all) - 1;
  report({
    what: `${title}, ${samples} samples of each of ${names.length} kinds`,
    value: `${answers.size} different ${answers.size === 1 ? 'answer' : 'answers'}, medians within ${(spread * 100).toFixed(1)} %`,
    goal: `one answer, ${tolerance * 100} %`,
    reached: answers.size === 1 && spread <= tolerance,
  });
}
