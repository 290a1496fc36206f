import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { startTestRedis, type TestRedis } from '@tenantry/test-kit';

const redis = await startTestRedis();

/** One command, in the protocol's inline form. */
function command({ url }: TestRedis, text: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) }, () => socket.write(`${text}\r\n`));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().trim());
    });
    socket.once('error', reject);
  });
}

describe.skipIf(!redis)('startTestRedis', () => {
  it('gives an empty Redis that can be killed and comes back empty on the same port', async () => {
    const server = redis!;
    expect(new URL(server.url)).toMatchObject({ protocol: 'redis:', port: String(server.port) });
    expect(await command(server, 'SET name value')).toBe('+OK');
    await server.kill();
    await expect(command(server, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.restart();
    expect(await command(server, 'PING')).toBe('+PONG');
    expect(await command(server, 'DBSIZE')).toBe(':0');
    await server.stop();
    await expect(command(server, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

it('says loudly that tests are skipped where there is no Redis to be had', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    expect(await startTestRedis({ TEST_INFRA: 'embedded' })).toBeUndefined();
  } finally {
    process.env['PATH'] = path;
  }
  expect(said).toHaveBeenCalledWith(expect.stringContaining('SKIPPED'));
  said.mockRestore();
});
