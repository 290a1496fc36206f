import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, AuthProcess } from './auth-process.ts';
import { percentiles, report, sized } from './figures.ts';

const seconds = sized(6, 0.5);
const probeEveryMs = 20;

/** Reads a session, which is warm. @throws Error from the reading that is refused */
export async function sessionProbe(
  { url }: Pick<AuthProcess, 'url'>,
  { token }: Pick<Account, 'token'>,
): Promise<() => Promise<void>> {
  const probe = async (): Promise<void> => {
    const response = await fetch(`${url}/api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the reading of a session was refused: ${response.status}`);
  };
  for (let n = 0; n < 200; n += 1) await probe();
  return probe;
}

/** Asks at a steady pace, whether the answer before has come or not, and gives the times in order. */
export async function probing(probe: () => Promise<void>): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    asked.push(probe().then(() => performance.now() - startedAt));
    await sleep(probeEveryMs);
  }
  return (await Promise.all(asked)).sort((a, b) => a - b);
}

/** Reports how long readings took. */
export function show(title: string, times: readonly number[], goal?: number): void {
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  report({
    what: `GET /api/auth/session, ${title}`,
    value: `${percentiles(times)} (${times.length} requests)`,
    ...(goal !== undefined && { goal: `p99 under ${goal} ms`, reached: p99 < goal }),
  });
}
