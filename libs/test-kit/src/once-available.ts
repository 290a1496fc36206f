import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

/** What a service answered: its status, and its headers by their names in small letters. */
interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * Asks again for as long as a service answers 503 and says when: what it is yet to be told of comes in the time that it names,
 * however slow the machine is.
 */
export async function onceAvailable<Answer extends Answered>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + patience();
  for (;;) {
    const answer = await ask();
    const retryAfter = answer.status === 503 ? answer.headers['retry-after'] : undefined;
    if (retryAfter === undefined || performance.now() > deadline) return answer;
    await sleep(Number(retryAfter) * 1_000);
  }
}
