import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@tenantry/dev-database';

/** Something that serves until it is stopped, or ends by itself. */
export interface Run {
  /** Settles with how it ended, as a phrase: `exit code 1`, `SIGKILL`. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/** What to keep running. */
export interface Supervised {
  name: string;
  /** Resolves once it serves. Rejects, with nothing left behind, when it does not or when the signal says stop. */
  start: (signal: AbortSignal) => Promise<Run>;
  /** Told in one sentence what happened and what is done about it. */
  onEvent: (sentence: string) => void;
  /** Told once, when it does not come up any more. */
  onGiveUp: (error: ExplainedError) => void;
}

const attemptsMax = 16;
const delayMsMax = 5_000;
const steadyAfterMs = 30_000;

/**
 * Starts it, and from then on starts it again when it ends by itself: at once the first time, then at growing
 * intervals, until sixteen attempts in a row have failed (about a minute).
 *
 * The first start is not repeated: what fails there needs a person.
 */
export async function supervise(supervised: Supervised, signal: AbortSignal): Promise<Pick<Run, 'stop'>> {
  const stopping = new AbortController();
  const first = await supervised.start(signal);
  const kept = keepRunning(supervised, first, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await kept;
    },
  };
}

async function keepRunning(supervised: Supervised, first: Run, stopping: AbortSignal): Promise<void> {
  const told = aborted(stopping);
  let run = first;
  for (let attempt = 0; ; attempt += 1) {
    const readyAt = Date.now();
    const how = await Promise.race([run.ended, told]);
    if (how === undefined) return run.stop();
    if (Date.now() - readyAt > steadyAfterMs) attempt = 0;
    supervised.onEvent(`${supervised.name} ended by itself (${how}): starting it again`);
    const next = await startAgain(supervised, attempt, stopping);
    if (next === undefined) return;
    run = next;
  }
}

/** The new run; undefined when told to stop or given up. */
async function startAgain(
  supervised: Supervised,
  firstAttempt: number,
  stopping: AbortSignal,
): Promise<Run | undefined> {
  const { name, start, onEvent, onGiveUp } = supervised;
  for (let attempt = firstAttempt; attempt < firstAttempt + attemptsMax; attempt += 1) {
    const delayMs = attempt === 0 ? 0 : Math.min(100 * 2 ** attempt, delayMsMax);
    const slept = await sleep(delayMs, true, { signal: stopping }).catch(() => false);
    if (!slept) return undefined;
    try {
      const run = await start(stopping);
      onEvent(`${name} is ready again`);
      return run;
    } catch (error) {
      if (stopping.aborted) return undefined;
      onEvent(`${name} did not come up: ${(error as Error).message}`);
    }
  }
  onGiveUp(new ExplainedError(`${name} does not stay up: see its log lines above.`));
  return undefined;
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}
