import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tenantry/test-kit';

/** A proxy under test, listening on the loopback. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  /** The process that was started; nginx does its work in a child of it. */
  readonly pid: number;
}

const workspaceRoot = join(import.meta.dirname, '../../..');
const children: ChildProcess[] = [];

/** Ends every process that was started here, and waits for it. */
export async function stopAll(): Promise<void> {
  const running = children.filter(({ exitCode }) => exitCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
}

/**
 * Processor time that a process and its children have used, in clock ticks; undefined where /proc is not.
 * Beside others on the same machine it is steadier than requests per second.
 */
export function processorTicks(pid: number): number | undefined {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.map(Number).reduce((sum, other) => {
      const { parent, ticks } = statOf(other);
      return other === pid || parent === pid ? sum + ticks : sum;
    }, 0);
  } catch {
    return undefined;
  }
}

function statOf(pid: number): { parent: number; ticks: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, second field, may hold blanks: the third field begins behind its bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return { parent: 0, ticks: 0 };
  }
}

async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<number> {
  const child = spawn(command, args, {
    cwd: workspaceRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answered = await fetch(`http://127.0.0.1:${port}/api/leads`).catch(() => undefined);
    if (answered?.ok && child.pid !== undefined) return child.pid;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${command} ${args.join(' ')} does not answer`);
}

const body =
  '{"data":{"id":"0191d7a4-1111-7000-8000-000000000001","name":"Ada Lovelace","email":"ada@example.com",' +
  '"status":"new"},"error":null,"meta":{"timestamp":"2026-11-20T09:40:31.000Z","requestId":"abc"}}';

function nginxConfig(directory: string, server: string): string {
  return `
    worker_processes 1; daemon off; pid ${directory}/nginx.pid; error_log stderr crit;
    events { worker_connections 4096; }
    http {
      access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; default_type application/json;
      client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
      fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
      ${server}
    }`;
}

async function runNginx(directory: string, port: number, server: string): Promise<number> {
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, nginxConfig(directory, server));
  return run('nginx', ['-p', directory, '-c', file, '-e', 'stderr'], {}, port);
}

/** The service behind: nginx with a constant answer, which no proxy here can exhaust. */
export async function startService(directory: string): Promise<number> {
  const port = await freePort();
  await runNginx(
    directory,
    port,
    `server { listen 127.0.0.1:${port}; location / { return 200 '${body}'; } }`,
  );
  return port;
}

/** nginx with the duties of the gateway as far as it can be told: ids, origin, identity headers dropped. */
export async function startNginx(directory: string, service: number): Promise<Contender> {
  const port = await freePort();
  const dropped = ['X-User-Id', 'X-Organization-Id', 'X-Real-IP', 'Forwarded', 'Connection'];
  const pid = await runNginx(
    directory,
    port,
    `upstream service { server 127.0.0.1:${service}; keepalive 256; keepalive_requests 1000000000; }
     server {
       listen 127.0.0.1:${port};
       location /api/leads {
         proxy_pass http://service; proxy_http_version 1.1; proxy_buffering on;
         proxy_set_header X-Request-Id $request_id; proxy_set_header X-Forwarded-For $remote_addr;
         proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host $host;
         ${dropped.map((name) => `proxy_set_header ${name} "";`).join(' ')}
         add_header X-Request-Id $request_id;
       }
     }`,
  );
  return { name: 'nginx, one worker', port, pid };
}

/** The gateway as it is run, its request log off as nginx's is. */
export async function startGateway(service: number, logLevel = 'warn'): Promise<Contender> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: logLevel,
    ROUTES: `/api/leads=http://127.0.0.1:${service}`,
    RATE_LIMIT_PER_MINUTE: '1000000000',
  };
  const pid = await run(
    process.execPath,
    ['--conditions=@tenantry/source', 'apps/gateway/src/main.ts'],
    env,
    port,
  );
  return { name: logLevel === 'warn' ? 'gateway' : 'gateway, logging every request', port, pid };
}

/** A proxy of this folder, as a process of its own. */
export async function startPeer(name: string, file: string, service: number): Promise<Contender> {
  const port = await freePort();
  const env = { PORT: String(port), SERVICE: `http://127.0.0.1:${service}` };
  const pid = await run(process.execPath, [join(import.meta.dirname, file)], env, port);
  return { name, port, pid };
}
