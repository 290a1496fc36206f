import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';

const run = promisify(execFile);
const outputBytesMax = 64 * 1024 * 1024;

/** Runs `docker` and returns what it prints. */
export async function docker(...args: readonly string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: outputBytesMax })).stdout.trim();
}

/** What `docker inspect` returns of an image or a container. */
export interface Inspection {
  Size: number;
  Config: {
    User: string;
    Labels: Record<string, string>;
    Env: string[];
    Healthcheck: { Test: string[] };
  };
  HostConfig: {
    ReadonlyRootfs: boolean;
    CapDrop: string[] | null;
    CapAdd: string[] | null;
    SecurityOpt: string[];
  };
}

export async function inspect(name: string): Promise<Inspection> {
  return (JSON.parse(await docker('inspect', name)) as [Inspection])[0];
}

/** The paths of all files of an image, without those that Docker puts into a container. */
export async function filesOf(image: string): Promise<string[]> {
  const container = await docker('create', image);
  try {
    const list = await run('sh', ['-c', `docker export ${container} | tar --list`], {
      maxBuffer: outputBytesMax,
    });
    const mounted = /^(\.dockerenv$|dev\/|proc\/|sys\/|etc\/)/;
    return list.stdout
      .split('\n')
      .filter((path) => path !== '' && !path.endsWith('/') && !mounted.test(path));
  } finally {
    await docker('rm', container);
  }
}

/** The stack of docker-compose.yml under a name of its own. */
export interface Stack {
  url: string;
  compose: (...args: readonly string[]) => Promise<string>;
  /** Runs a script that calls `docker compose`, which then means this stack. */
  script: (text: string, variables: Readonly<Record<string, string>>) => Promise<string>;
}

/** Prepares the stack; nothing runs before `compose('up')`. */
export async function composeStack(port: number): Promise<Stack> {
  const plugin = await run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
  const [command, first] = plugin ? ['docker', ['compose']] : ['docker-compose', []];
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port), AUTH_URL: `${url}/api/auth` };
  const named = [...first, '--project-name', `tenantry-test-${port}`];
  const standIn = `docker() { shift; command ${[command, ...named].join(' ')} "$@"; }`;
  return {
    url,
    compose: async (...args) =>
      (await run(command, [...named, ...args], { cwd: workspaceRoot, env, maxBuffer: outputBytesMax }))
        .stdout,
    script: async (text, variables) =>
      (
        await run('bash', ['-euc', `${standIn}\n${text}`], {
          cwd: workspaceRoot,
          env: { ...env, ...variables },
        })
      ).stdout,
  };
}
