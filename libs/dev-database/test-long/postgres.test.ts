import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connected, runningPostgres, startPostgres, type PostgresOptions } from '@tenantry/dev-database';
import { hasEnded, isAlive } from '../src/postgres/processes.ts';
import { temporaryDirectory } from '../test/fixture/directories.ts';

async function start(options: Partial<PostgresOptions> & { directory: string }) {
  const postgres = await startPostgres({ durable: false, ...options });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function newDirectory(): Promise<string> {
  return join(await temporaryDirectory(), 'postgres');
}

const value = async (url: string, text: string) =>
  connected(
    url,
    async (client) => Object.values((await client.query<object>(text)).rows[0] ?? {})[0] as unknown,
  );

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('an embedded PostgreSQL', () => {
  it('is version 18 with the same rules for letters on every machine', async () => {
    const { adminUrl } = await start({ directory: await newDirectory() });
    expect(await value(adminUrl, 'SHOW server_version')).toMatch(/^18\./);
    expect(await value(adminUrl, 'SHOW server_encoding')).toBe('UTF8');
    expect(await value(adminUrl, "SELECT lower('ÅÉ')")).toBe('åé');
    expect(
      await value(
        adminUrl,
        "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'postgres'",
      ),
    ).toBe('bC.UTF-8');
    expect(await value(adminUrl, 'SHOW timezone')).toBe('UTC');
  });

  it('keeps its data over a stop and a start', async () => {
    const directory = await newDirectory();
    const first = await start({ directory, durable: true });
    await value(first.adminUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start({ directory, durable: true });
    expect(await value(second.adminUrl, 'SELECT answer FROM kept')).toBe(42);
    expect(await value(second.adminUrl, 'SHOW fsync')).toBe('on');
  });

  it('leaves no process and no port behind after stop', async () => {
    const { pid, port, stop, ended } = await start({ directory: await newDirectory() });
    expect(await accepts(port)).toBe(true);
    await Promise.all([stop(), stop()]);
    expect(isAlive(pid)).toBe(false);
    expect(await accepts(port)).toBe(false);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('starts again on the port it had', async () => {
    const directory = await newDirectory();
    const { port, stop } = await start({ directory });
    await stop();
    expect((await start({ directory, port })).port).toBe(port);
  });

  it('refuses connections without the password, and lets no other system user read data or password', async () => {
    const directory = await newDirectory();
    const { adminUrl } = await start({ directory });
    const wrong = new URL(adminUrl);
    wrong.password = 'postgres';
    await expect(value(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const mode = async (name: string) => (await stat(join(directory, name))).mode & 0o777;
    expect(await mode('.')).toBe(0o700);
    expect(await mode('data')).toBe(0o700);
    expect(await mode('password')).toBe(0o600);
    expect(await mode('postgres.log')).toBe(0o600);
  });

  it('listens on 127.0.0.1 alone', async () => {
    const { adminUrl } = await start({ directory: await newDirectory() });
    expect(await value(adminUrl, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await value(adminUrl, 'SHOW unix_socket_directories')).toBe('');
  });

  it('says which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(start({ directory: await newDirectory(), port })).rejects.toThrow(
      `Port ${port} is in use by another program`,
    );
  });

  it('is run by one launcher at a time, and others find it', async () => {
    const directory = await newDirectory();
    expect(await runningPostgres(await temporaryDirectory())).toBeUndefined();
    const { adminUrl, port, pid, stop } = await start({ directory });
    await expect(start({ directory })).rejects.toThrow(`is already run by process ${process.pid}`);
    expect(await runningPostgres(directory)).toEqual({ adminUrl, port, pid });
    await stop();
    expect(await runningPostgres(directory)).toBeUndefined();
  });

  it('tells when it ends by itself, and may be started again', async () => {
    const directory = await newDirectory();
    const { adminUrl, pid, ended } = await start({ directory, durable: true });
    await value(adminUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(pid, 'SIGKILL');
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
    const again = await start({ directory, durable: true });
    expect(await value(again.adminUrl, 'SELECT answer FROM kept')).toBe(42);
  });

  it('starts over over a half-made data directory', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, 'data.unfinished', 'base'), { recursive: true });
    await mkdir(join(directory, 'data'));
    await writeFile(join(directory, 'password'), 'half');
    const { adminUrl } = await start({ directory });
    expect(await value(adminUrl, 'SELECT 1')).toBe(1);
  });

  it('never replaces data that it does not understand', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, 'data'), { recursive: true });
    await writeFile(join(directory, 'data', 'precious'), 'kept');
    await expect(start({ directory })).rejects.toThrow('holds no PostgreSQL data that can be read (ENOENT)');
    expect(await readFile(join(directory, 'data', 'precious'), 'utf8')).toBe('kept');
  });

  it('refuses the data of another major version', async () => {
    const directory = await newDirectory();
    await (await start({ directory })).stop();
    await writeFile(join(directory, 'data', 'PG_VERSION'), '17\n');
    await expect(start({ directory })).rejects.toThrow('was written by PostgreSQL 17');
  });

  it('says what to do when the password is lost', async () => {
    const directory = await newDirectory();
    await (await start({ directory })).stop();
    await writeFile(join(directory, 'password'), '');
    await expect(start({ directory })).rejects.toThrow(/database password .* start over/s);
  });

  it('is not misled by a stale postmaster.pid whose process id belongs to a stranger', async () => {
    const directory = await newDirectory();
    await (await start({ directory })).stop();
    const stranger = `${process.pid}\n${join(directory, 'data')}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`;
    await writeFile(join(directory, 'data', 'postmaster.pid'), stranger);
    const { pid } = await start({ directory });
    expect(pid).not.toBe(process.pid);
    expect(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).toMatch(`${pid}\n`);
  });

  it('knows a process that has ended from one that has not', async () => {
    expect(await hasEnded(process.pid, 50)).toBe(false);
    expect(await hasEnded(2 ** 22 + 1, 50)).toBe(true);
  });
});
