import type { ChildProcess } from 'node:child_process';

/** Kills a child that is still there when this process exits. */
export function endWithProcess(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
