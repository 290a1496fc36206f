import { describe, expect, test } from 'vitest';
import { describeDevice } from '../src/ground/callers/user-agent.ts';
import { send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

describe('a device is described by its User-Agent', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140', 'Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome 141', 'Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/141.0.0.0`,
      'Edge 141',
      'Windows',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36 OPR/122.0`,
      'Opera 122',
      'macOS',
    ],
    [`Mozilla/5.0 (Linux; Android 15; SM-S931B) ${chrome} Mobile Safari/537.36`, 'Chrome 141', 'Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome 141', 'ChromeOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari 18',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      'Safari 18',
      'macOS',
    ],
    ['MyApp/1.2.3 (iPhone; iOS 18.1) CFNetwork/1490', null, 'iOS'],
    ['curl/8.14.1', null, null],
    [`${'('.repeat(5_000)}Firefox/`, null, null],
    ['', null, null],
  ])('%s', (userAgent, browser, system) => {
    expect(describeDevice(userAgent)).toEqual({ browser, system });
  });

  test('in the list of sessions', async () => {
    const { app } = await startService();
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    const ada = await signUp(app, 'Ada', headers);
    const { sessions } = (await send(app, 'GET /sessions', { token: ada.token })).body;
    expect(sessions).toMatchObject([
      { browser: 'Firefox 140', system: 'Linux', device: headers['user-agent'] },
    ]);
  });
});
