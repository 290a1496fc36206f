import { describe, expect, it } from 'vitest';
import { send } from './support/client.ts';
import { shortSeconds, startGateway } from './support/gateway.ts';
import { startTlsUpstream, trustTlsUpstream } from './support/tls.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

describe('a service behind TLS', () => {
  it('is reached when its certificate is trusted and bears its name', async () => {
    trustTlsUpstream();
    const { port } = await startTlsUpstream((request, response) => {
      request.pipe(response.setHeader('x-seen-host', request.headers.host ?? ''));
    });
    const gateway = await startGateway([`/api/leads=https://localhost:${port}`]);
    const answer = await send(gateway.port, '/api/leads', { method: 'POST', body: 'body' });
    expect(answer).toMatchObject({ status: 200, text: 'body' });
    expect(answer.headers['x-seen-host']).toBe(`localhost:${port}`);
  });

  it('gets nothing when its certificate is not trusted, or bears another name', async () => {
    let requests = 0;
    const { port } = await startTlsUpstream((_request, response) => {
      requests++;
      response.end();
    });
    const untrusted = await startGateway([`/api/leads=https://localhost:${port}`]);
    expect((await send(untrusted.port, '/api/leads')).status).toBe(503);
    expect(untrusted.logs()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');

    trustTlsUpstream();
    const misnamed = await startGateway([`/api/leads=https://127.0.0.1:${port}`]);
    expect((await send(misnamed.port, '/api/leads')).status).toBe(503);
    expect(misnamed.logs()).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(requests).toBe(0);
  });

  it('that takes the connection and no more is passed over in time, whatever the method', async () => {
    const mute = await startRawUpstream(() => undefined);
    const alive = await startUpstream((request, response) => void request.pipe(response));
    const alone = await startGateway([`/api/leads=https://127.0.0.1:${mute.port};timeout=${shortSeconds}`]);
    const both = await startGateway([
      `/api/leads=https://127.0.0.1:${mute.port}|${alive.url};timeout=${shortSeconds}`,
    ]);
    const body = { method: 'POST', body: 'body' };
    const [refused, answered] = await Promise.all([
      send(alone.port, '/api/leads', body),
      send(both.port, '/api/leads', body),
    ]);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(answered).toMatchObject({ status: 200, text: 'body' });
  });
});
