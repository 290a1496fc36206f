import type { Writable } from 'node:stream';

/** Tells a waiting person what is going on. */
export interface Progress {
  /** Runs one step, showing that it runs and, once done, how long it took. */
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** One line that stays. */
  note: (text: string) => void;
  /** Clears what is still shown of running steps. */
  end: () => void;
}

/** On a terminal one line names the running steps; elsewhere a finished step is a line. */
export function createProgress(output: Writable & { isTTY?: boolean; columns?: number }): Progress {
  const running = new Set<string>();
  const draw = () => {
    const text = running.size > 0 ? `  … ${[...running].join(', ')}` : '';
    // A line that wraps could not be rewritten.
    if (output.isTTY) output.write(`\r\u001b[K${text.slice(0, (output.columns ?? 80) - 1)}`);
  };
  const print = (line: string) => {
    output.write(`${output.isTTY ? '\r\u001b[K' : ''}${line}\n`);
    draw();
  };
  return {
    async step(name, work) {
      const startedAt = performance.now();
      running.add(name);
      draw();
      try {
        const result = await work();
        running.delete(name);
        print(`  ✓ ${name.padEnd(32)} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
        return result;
      } finally {
        running.delete(name);
      }
    },
    note: (text) => print(`  ${text}`),
    end() {
      running.clear();
      draw();
    },
  };
}
