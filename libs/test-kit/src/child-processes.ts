import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

/** Kills a child that is still there when this process exits. */
export function endWithProcess(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** A server that runs as a child of this process. */
export interface ServerProcess {
  /** Sends it a signal, unless it has ended, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server, and waits until it listens on a port of 127.0.0.1. It ends with this process. */
export async function startServer(
  [program, ...args]: readonly [string, ...string[]],
  { port, ...options }: SpawnOptions & { readonly port: number },
): Promise<ServerProcess> {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  endWithProcess(child);
  const exited = once(child, 'exit');
  await accepting(port);
  return {
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

async function accepting(port: number): Promise<void> {
  const deadline = performance.now() + patience();
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    } finally {
      socket.destroy();
    }
  }
}
