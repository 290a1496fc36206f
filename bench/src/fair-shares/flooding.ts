import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithProcess } from '@tenantry/test-kit';
import type { Caller } from './client.ts';

/** The messages to the process of a flood. */
export type Told =
  | { readonly prepare: string; readonly url: string; readonly attackers: readonly Caller[] }
  /** By so many of the attackers. */
  | { readonly begin: number }
  | { readonly end: true };

/** Its reply, once it has done so. */
export type ToldBack =
  | { readonly unitMs: number }
  | { readonly begun: true }
  | { readonly answers: readonly [number, number][] };

/** Floods from a process of its own. */
export interface Flooding {
  /** Makes a flood ready. @returns how long one of its requests takes alone, in milliseconds */
  prepare(flood: string, url: string, attackers: readonly Caller[]): Promise<number>;
  begin(attackers: number): Promise<void>;
  /** Ends once all that is under way is answered. @returns how often each status was answered; 0 where nothing was */
  end(): Promise<readonly (readonly [status: number, times: number])[]>;
  stop(): Promise<void>;
}

/** Starts the process. */
export function startFlooding(): Flooding {
  const child = fork(fileURLToPath(new URL('./flood-process.ts', import.meta.url)), {
    execArgv: ['--conditions=@tenantry/source'],
  });
  endWithProcess(child);
  const exited = once(child, 'exit');
  const tell = async <Answer extends ToldBack>(told: Told): Promise<Answer> => {
    const toldBack = once(child, 'message');
    child.send(told);
    const [message] = (await Promise.race([toldBack, exited.then(() => [])])) as [Answer?];
    if (!message) throw new Error('the process of the flood has ended');
    return message;
  };
  return {
    async prepare(prepare, url, attackers) {
      const { unitMs } = await tell<{ unitMs: number }>({ prepare, url, attackers });
      return unitMs;
    },
    async begin(attackers) {
      await tell({ begin: attackers });
    },
    async end() {
      const { answers } = await tell<{ answers: [number, number][] }>({ end: true });
      return answers;
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
