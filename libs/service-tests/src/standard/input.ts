import { expect, it } from 'vitest';
import { refusal } from '../callers.ts';
import type { Standing } from './standing.ts';

const json = { 'content-type': 'application/json' };

/** What an operation does not ask for, it refuses. */
export function inputTests(standing: () => Standing): void {
  const takingJson = () =>
    standing().operations.filter(({ mediaTypes }) => mediaTypes.join() === 'application/json');
  const owner = () => standing().running.member({ role: 'owner' });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('refuses a body of the media type %s', async (mediaType) => {
    const caller = await owner();
    for (const { method, url } of takingJson()) {
      const answer = await caller.send(method, url, { body: '{}', headers: { 'content-type': mediaType } });
      const refused = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
      expect(refusal(answer), `${method} ${url}`).toMatchObject(refused);
    }
  });

  it('refuses a body that is no JSON, no UTF-8 or too large', async () => {
    const caller = await owner();
    for (const { method, url } of takingJson()) {
      for (const body of ['{"name":', 'name', Buffer.from([0x22, 0xff, 0x22])]) {
        const answer = await caller.send(method, url, { body, headers: json });
        expect(refusal(answer), `${method} ${url}`).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
      }
      const large = await caller.send(method, url, { body: { name: 'x'.repeat(70_000) } });
      expect(refusal(large)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    }
  });

  it('refuses a field of the body or of the query that it does not know', async () => {
    const caller = await owner();
    for (const { method, url } of takingJson()) {
      const answer = await caller.send(method, url, { body: { unheardOf: 1 } });
      expect(refusal(answer).fields, `${method} ${url}`).toContain('unheardOf');
    }
    for (const { method, url, access } of standing().operations) {
      if (access === 'public') continue;
      const answer = await caller.send(method, `${url}?unheardOf=1`);
      expect(refusal(answer).status, `${method} ${url}`).toBe(400);
    }
  });

  it('answers an id in capitals as it does the same in small letters', async () => {
    const caller = await owner();
    for (const { method, path, url, mediaTypes } of standing().operations) {
      if (!path.includes('{')) continue;
      const body = mediaTypes.join() === 'application/json' ? { body: {} } : {};
      const capitals = url.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.toUpperCase());
      const [small, large] = [
        await caller.send(method, url, body),
        await caller.send(method, capitals, body),
      ];
      expect(refusal(large), `${method} ${path}`).toEqual(refusal(small));
    }
  });

  it('refuses a promise that it does not keep: Idempotency-Key and conditions where they are not documented [S-166]', async () => {
    const caller = await owner();
    const promises = {
      'idempotency-key': 'once',
      'if-match': '"1"',
      'if-none-match': '*',
      'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT',
    };
    for (const { method, url, headers } of standing().operations) {
      for (const [header, value] of Object.entries(promises)) {
        if (headers.includes(header) || (header !== 'if-match' && method === 'GET')) continue;
        const answer = await caller.send(method, url, { headers: { [header]: value } });
        const refused = { status: 400, code: 'VALIDATION_ERROR', fields: [header] };
        expect(refusal(answer), `${method} ${url}`).toMatchObject(refused);
      }
    }
  });
}
