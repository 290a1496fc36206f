/**
 * How long GET /api/auth/session takes while 200 sign-ins are under way at a time:
 *
 *     npm run bench -- sign-in-pressure
 *
 * Goal: p99 under 100 ms on a machine that does nothing else. What the kernel and the neighbours add is measured beside
 * it: the same probe without any sign-in, and with as many processes that only compute.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { password, post, signUp, startAuthService } from './auth-process.ts';
import { report, residentMb, sized } from './figures.ts';
import { probing, sessionProbe, show } from './session-probe.ts';

const parallel = sized(200, 4);
const goalMs = 100;

const service = await startAuthService();
try {
  // Bob's oldest session makes room for his newest; Ada's is the one that is read.
  const [ada, bob] = [await signUp(service), await signUp(service)];
  const probe = await sessionProbe(service, ada);

  show('alone', await probing(probe));
  const neighbours = Array.from({ length: availableParallelism() }, compute);
  show('beside pure computing', await probing(probe));
  for (const neighbour of neighbours) {
    if (neighbour.exitCode !== null) throw new Error('a process that only computes has ended');
    neighbour.kill();
  }

  const counts = new Map<number, number>();
  let pressing = true;
  const press = async (): Promise<void> => {
    while (pressing) {
      const { status } = await post(`${service.url}/api/auth/sign-in/email`, { email: bob.email, password });
      counts.set(status, (counts.get(status) ?? 0) + 1);
      // A client that is told to come back later does not come back immediately.
      if (status === 503) await sleep(1_000);
    }
  };
  const presses = Array.from({ length: parallel }, press);
  await sleep(1_000);
  const times = await probing(probe);
  pressing = false;
  await Promise.all(presses);
  show(`during ${parallel} sign-ins at a time`, times, goalMs);
  report({ what: 'memory of auth-service afterwards', value: `${residentMb(service.pid ?? 0)} MB` });
  const answered = [...counts].map(([status, n]) => `${n} × ${status}`).join(', ');
  console.log(`sign-ins: ${answered}`);
} finally {
  await service.stop();
}
process.exit();

function compute(): ChildProcess {
  return fork(new URL('./pure-computing.ts', import.meta.url), { execArgv: [] });
}
