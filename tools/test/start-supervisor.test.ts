import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Parts } from '../src/start/parts.ts';
import { Supervisor, type Run } from '../src/start/supervisor.ts';
import { eventually } from './support/tenantry.ts';

/** Something whose runs end when the test says so. */
function something({ failures = 0 } = {}) {
  const runs: { end: (how: string) => void; stopped: boolean }[] = [];
  let attempts = 0;
  const start = async (signal: AbortSignal): Promise<Run> => {
    signal.throwIfAborted();
    attempts += 1;
    if (runs.length > 0 && attempts <= 1 + failures) throw new Error('not yet');
    let end: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (end = resolve));
    const run = { end, stopped: false };
    runs.push(run);
    const stop = async () => {
      run.stopped = true;
      end('stopped');
    };
    return { ended, stop };
  };
  return { runs, start, attempts: () => attempts };
}

describe('the supervisor', () => {
  const never = new AbortController().signal;
  const listener = () => {
    const events: string[] = [];
    const gaveUp: Error[] = [];
    return {
      events,
      gaveUp,
      onEvent: (text: string) => events.push(text),
      onGiveUp: (error: Error) => gaveUp.push(error),
    };
  };

  it('starts again what ends by itself, and says so', async () => {
    const { runs, start } = something();
    const told = listener();
    const kept = await Supervisor.start({ name: 'leads', start, ...told }, never);
    runs[0]!.end('SIGKILL');
    await eventually(() => expect(runs).toHaveLength(2));
    expect(told.events).toEqual([
      'leads ended by itself (SIGKILL): starting it again',
      'leads is ready again',
    ]);
    await kept.stop();
    expect(runs[1]!.stopped).toBe(true);
  });

  it('tries again when a restart fails, at growing intervals', async () => {
    const { runs, start, attempts } = something({ failures: 2 });
    const told = listener();
    const kept = await Supervisor.start({ name: 'leads', start, ...told }, never);
    const endedAt = performance.now();
    runs[0]!.end('exit code 1');
    await eventually(() => expect(runs).toHaveLength(2));
    expect(attempts()).toBe(4);
    expect(performance.now() - endedAt).toBeGreaterThan(500);
    expect(told.events.filter((text) => text === 'leads did not come up: not yet')).toHaveLength(1);
    await kept.stop();
  });

  it('stops immediately while it waits for the next attempt, and starts nothing after that', async () => {
    const { runs, start, attempts } = something({ failures: 100 });
    const told = listener();
    // Longer than this test may take.
    const pause = (_ms: number, signal: AbortSignal) =>
      sleep(attempts() > 3 ? 60_000 : 0, undefined, { signal });
    const kept = await Supervisor.start({ name: 'leads', start, ...told, pause }, never);
    runs[0]!.end('exit code 1');
    await eventually(() => expect(attempts()).toBe(4));
    await kept.stop();
    expect(attempts()).toBe(4);
    expect(told.gaveUp).toEqual([]);
  });

  it('does not repeat a first start that fails', async () => {
    const start = async () => {
      throw new Error('the configuration is not valid');
    };
    await expect(Supervisor.start({ name: 'leads', start, ...listener() }, never)).rejects.toThrow(
      'not valid',
    );
  });

  it('starts again what is to be restarted, and serves only once it is back', async () => {
    const { runs, start } = something();
    const told = listener();
    const kept = await Supervisor.start({ name: 'leads', start, ...told }, never);
    kept.restart();
    await eventually(() => expect(kept.isServing).toBe(false));
    await kept.whenServing();
    expect(runs.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(told.events).toEqual(['leads is ready again']);
    await kept.stop();
  });

  it('starts over when another restart is wanted in the middle of one', async () => {
    const starting: AbortSignal[] = [];
    const { start } = something();
    const slowly = async (signal: AbortSignal): Promise<Run> => {
      starting.push(signal);
      if (starting.length === 2)
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      return start(signal);
    };
    const told = listener();
    const kept = await Supervisor.start({ name: 'leads', start: slowly, ...told }, never);
    kept.restart();
    await eventually(() => expect(starting).toHaveLength(2));
    kept.restart();
    await kept.whenServing();
    expect(starting).toHaveLength(3);
    expect(told.events).toEqual(['leads is ready again']);
    await kept.stop();
  });

  it('says once why it does not come up, and gives up after sixteen attempts', async () => {
    const { runs, start, attempts } = something({ failures: 100 });
    const told = listener();
    const pauses: number[] = [];
    const pause = async (ms: number) => pauses.push(ms);
    const kept = await Supervisor.start({ name: 'leads', start, ...told, pause }, never);
    runs[0]!.end('exit code 1');
    await eventually(() => expect(told.gaveUp).toHaveLength(1));
    expect(attempts()).toBe(17);
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeGreaterThan(50_000);
    expect(told.events.filter((text) => text.includes('not yet'))).toHaveLength(1);
    await kept.stop();
  });

  it('waits for the next restart where its giving up is not handled', async () => {
    const { runs, start } = something({ failures: 16 });
    const { events, onEvent } = listener();
    const pause = () => Promise.resolve();
    const kept = await Supervisor.start({ name: 'leads', start, onEvent, pause }, never);
    runs[0]!.end('exit code 1');
    await eventually(() => expect(events.at(-1)).toContain('does not stay up'));
    kept.restart();
    await kept.whenServing();
    expect(events.at(-1)).toBe('leads is ready again');
    await kept.stop();
  });
});

describe('everything that was started', () => {
  it('is ready once all of it serves at the same time, and not when one has ended meanwhile [S-159]', async () => {
    const parts = new Parts({ add: () => undefined, release: () => Promise.resolve() });
    const [leads, users] = [something(), something()];
    const onEvent = () => undefined;
    const start = ({ start }: ReturnType<typeof something>, name: string) =>
      Supervisor.start({ name, start, onEvent, pause: () => held }, new AbortController().signal);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    parts.services.push(await start(leads, 'leads'), await start(users, 'users'));
    await parts.whenServing();

    leads.runs[0]!.end('SIGKILL');
    await eventually(() => expect(parts.services[0]?.isServing).toBe(false));
    let ready = false;
    const serving = parts.whenServing().then(() => (ready = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ready).toBe(false);
    goOn();
    await serving;
    expect(parts.services.every(({ isServing }) => isServing)).toBe(true);
    await parts.stop();
  });
});
