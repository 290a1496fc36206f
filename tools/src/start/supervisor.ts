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
  /** Told once, when it does not come up any more. Without it, it waits for the next {@link Supervisor.restart}. */
  onGiveUp?: ((error: ExplainedError) => void) | undefined;
  /** Waits between attempts, until the signal says stop. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const attemptsMax = 16;
const delayMsMax = 5_000;
const steadyAfterMs = 30_000;

/**
 * Keeps something running: starts it again when it ends by itself, immediately the first time, then at growing intervals, until
 * sixteen attempts in a row have failed (about a minute).
 */
export class Supervisor {
  readonly #supervised: Supervised;
  readonly #stopping = new AbortController();
  readonly #kept: Promise<void>;
  /** Ends whatever the present run, start or pause is, because a restart is wanted. */
  #interruption = new AbortController();
  #isServing = true;
  #serving: Promise<void> = Promise.resolve();
  #onServing: () => void = () => undefined;

  private constructor(supervised: Supervised, first: Run) {
    this.#supervised = supervised;
    this.#kept = this.#keepRunning(first);
  }

  /** The first start is not repeated: what fails there needs a person. */
  static async start(supervised: Supervised, signal: AbortSignal): Promise<Supervisor> {
    return new Supervisor(supervised, await supervised.start(signal));
  }

  get name(): string {
    return this.#supervised.name;
  }

  /** Whether it serves at the moment. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Resolves once it serves, immediately where it already does. */
  whenServing(): Promise<void> {
    return this.#serving;
  }

  /** Stops it and starts it again. */
  restart(): void {
    this.#setServing(false);
    this.#interruption.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#kept;
  }

  async #keepRunning(first: Run): Promise<void> {
    let run: Run | undefined = first;
    for (let attempt = 0; run; attempt += 1) {
      const servingSince = Date.now();
      const signal = this.#interruptible();
      const how = await Promise.race([run.ended, aborted(signal)]);
      if (how === undefined) await run.stop();
      if (this.#stopping.signal.aborted) return;
      this.#setServing(false);
      if (how === undefined || Date.now() - servingSince > steadyAfterMs) attempt = 0;
      if (how !== undefined) {
        this.#supervised.onEvent(`${this.name} ended by itself (${how}): starting it again`);
      }
      run = await this.#startAgain(attempt);
      if (run) this.#setServing(true);
    }
  }

  /** The new run; undefined when told to stop or given up. */
  async #startAgain(firstAttempt: number): Promise<Run | undefined> {
    const { name, onEvent, onGiveUp, pause = sleepUntil } = this.#supervised;
    let told: string | undefined;
    for (let attempt = firstAttempt; !this.#stopping.signal.aborted; attempt += 1) {
      if (attempt >= firstAttempt + attemptsMax) {
        const sentence = `${name} does not stay up: see its log lines above.`;
        if (onGiveUp) {
          onGiveUp(new ExplainedError(sentence));
          return undefined;
        }
        onEvent(sentence);
        await aborted(this.#interruptible());
        attempt = firstAttempt;
      }
      const signal = this.#interruptible();
      try {
        await pause(attempt === 0 ? 0 : Math.min(100 * 2 ** attempt, delayMsMax), signal);
        const run = await this.#supervised.start(signal);
        onEvent(`${name} is ready again`);
        return run;
      } catch (error) {
        // Its own lines have been shown already.
        const problem = `${name} did not come up: ${(error as Error).message.split('\n', 1)[0]?.replace(/:$/, '')}`;
        if (signal.aborted) attempt = -1;
        else if (problem !== told) onEvent((told = problem));
      }
    }
    return undefined;
  }

  /** Fires when it is to stop or to restart; each restart is asked for once. */
  #interruptible(): AbortSignal {
    if (this.#interruption.signal.aborted) this.#interruption = new AbortController();
    return AbortSignal.any([this.#stopping.signal, this.#interruption.signal]);
  }

  #setServing(isServing: boolean): void {
    if (isServing === this.#isServing) return;
    this.#isServing = isServing;
    if (isServing) this.#onServing();
    else this.#serving = new Promise((resolve) => (this.#onServing = resolve));
  }
}

const sleepUntil = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, undefined, { signal });

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}
