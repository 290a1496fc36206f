import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLogStream } from '../src/start/log-stream.ts';

const line = (fields: object) =>
  JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', service: 'leads-service', ...fields });

function output({ isTTY }: { isTTY: boolean }) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  return { stream, text: () => stripVTControlCharacters(String(stream.read() ?? '')) };
}

describe('the log of all services', () => {
  it('is held back until everything is ready, and loses nothing', () => {
    const { stream, text } = output({ isTTY: false });
    const log = createLogStream(stream);
    log.write('leads-service', line({ msg: 'first' }));
    expect(text()).toBe('');
    log.release();
    log.write('leads-service', line({ msg: 'second' }));
    expect(text()).toBe(`${line({ msg: 'first' })}\n${line({ msg: 'second' })}\n`);
  });

  it('is JSON in every line, whatever a service writes', () => {
    const { stream, text } = output({ isTTY: false });
    const log = createLogStream(stream);
    log.release();
    for (const written of ['    at file.ts:1:2', '{ half of an object', '']) log.write('gateway', written);
    const lines = text().trimEnd().split('\n');
    expect(lines.map((each) => JSON.parse(each) as unknown)).toMatchObject([
      { service: 'gateway', level: 'error', msg: '    at file.ts:1:2' },
      { service: 'gateway', msg: '{ half of an object' },
      { service: 'gateway', msg: '' },
    ]);
  });

  it('names the service and reads like a sentence on a terminal', () => {
    const { stream, text } = output({ isTTY: true });
    const log = createLogStream(stream);
    log.release();
    const request = {
      method: 'GET',
      path: '/api/leads',
      status: 200,
      durationMs: 3.2,
      ip: '127.0.0.1',
      requestId: 'x',
    };
    log.write('leads-service', line({ ...request, msg: 'request' }));
    expect(text()).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: leads-service {5}GET \/api\/leads 200 in 3\.2 ms\n$/,
    );
  });
});
