import { readdirSync, readFileSync } from 'node:fs';
import { GuardedCalls } from '@tenantry/service/guarded';
import { createLogger } from '@tenantry/service/logging';
import { patience, selfSigned, testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readCertificate } from '../src/connections/saml/certificates.ts';
import { Documents, type Reader } from '../src/connections/saml/documents.ts';
import { SamlSettings } from '../src/connections/saml/saml-settings.ts';
import { responseOf, signed } from './support/saml-documents.ts';

const logger = createLogger({ name: 'test', level: 'warn', destination: testLog() });
const signer = selfSigned();
const certificates = [readCertificate(signer.certificate) ?? ''];
const parts = {
  issuer: 'https://idp.example/entity',
  acsUrl: 'https://api.example.com/acs',
  audience: 'https://api.example.com/metadata',
  requestId: '_request',
  nameId: 'ada',
  email: 'ada@acme.example',
};
const document = signed(responseOf(parts), signer);
const asking = { organizationId: 'acme', address: '192.0.2.1' };

/** For tests that only read. */
const documents = new Documents({
  logger,
  endOfReading: () => AbortSignal.timeout(patience()),
  waitMsMax: patience(),
});
afterAll(() => documents.close());

const response = { document, certificates };
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${parts.issuer}"/>`;
const settings = new SamlSettings({ documents, guardedCalls: new GuardedCalls(), now: () => new Date() });
const give = (reader: Reader) =>
  expect(settings.read(reader, { metadata })).rejects.toThrow('PROVIDER_REFUSED');

test.each<[string, (n: number) => Promise<unknown>]>([
  [
    'one organization',
    (n) => documents.readResponse(response, { organizationId: 'free', address: `198.51.100.${n}` }),
  ],
  [
    'many organizations at one address',
    (n) => documents.readResponse(response, { organizationId: `o${n}`, address: '198.51.100.1' }),
  ],
  ['metadata of as many', (n) => give({ organizationId: `o${n}`, address: '198.51.100.1' })],
  ['metadata that is due', () => give({ work: 'daily readings' })],
])('a stranger’s response is read next under a flood of %s [S-250]', async (_who, read) => {
  const order: string[] = [];
  const note = (who: string) => () => order.push(who);
  const flood = Array.from({ length: 40 }, (_, n) => read(n).then(note('flood')));
  // All of it waits by now.
  await new Promise(setImmediate);
  await documents
    .readResponse(response, { organizationId: 'stranger', address: '192.0.2.1' })
    .then(note('stranger'));
  expect(order.indexOf('stranger')).toBeLessThan(3);
  await Promise.all(flood);
});

test('a document that takes too long ends with its thread, and the next one is read in another [S-250]', async () => {
  const soon = () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    return controller.signal;
  };
  const ends = [soon, () => AbortSignal.timeout(patience())];
  const ending = new Documents({ logger, endOfReading: () => (ends.shift() ?? soon)() });
  onTestFinished(() => ending.close());
  expect(await ending.readResponse({ document, certificates }, asking)).toEqual({
    kind: 'unusable',
    problem: 'too-slow',
  });
  expect(await ending.readResponse({ document, certificates }, asking)).toMatchObject({ kind: 'signed' });
});

test.runIf(process.platform === 'linux')(
  'the thread has a lower priority than what answers requests [S-250]',
  async () => {
    await documents.readResponse({ document, certificates }, asking);
    const lowered = readdirSync('/proc/self/task').filter((thread) => niceOf(thread) === 10);
    expect(lowered.length).toBeGreaterThan(0);
    expect(niceOf(String(process.pid))).toBeLessThan(10);
  },
);

/** proc(5): the 19th value of a thread, whose second one is a name in parentheses. */
const niceOf = (thread: string): number => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
};

describe('is counted before it is parsed [S-250]', () => {
  const inside = (text: string) => document.replace('<saml:AttributeStatement>', `$&${text}`);
  test.each([
    ['a document of more than 128 KiB', inside('x'.repeat(128 * 1_024)), 'too-long'],
    ['one of 1,501 tags', inside('<a/>'.repeat(1_501)), 'too-many-elements'],
    [
      'one of 1,501 attributes',
      inside(`<a ${Array.from({ length: 1_501 }, (_, n) => `b${n}=""`).join(' ')}/>`),
      'too-many-attributes',
    ],
    [
      'one of 65 namespaces',
      inside(Array.from({ length: 65 }, (_, n) => `<a xmlns:n${n}="u"/>`).join('')),
      'too-many-namespaces',
    ],
    ['a DOCTYPE', `<!DOCTYPE r [<!ENTITY e "x">]>${document}`, 'doctype-or-comment'],
    ['a processing instruction', inside('<?x y?>'), 'instruction'],
    ['a second declaration', `<?xml version="1.0"?><?xml version="1.0"?>${document}`, 'instruction'],
    ['a declaration of another encoding', `<?xml version="1.0" encoding="UTF-7"?>${document}`, 'instruction'],
    ['a comment', inside('<!-- x -->'), 'doctype-or-comment'],
    ['a CDATA section', inside('<![CDATA[x]]>'), 'doctype-or-comment'],
    ['a control character', inside('\u0001'), 'no-xml'],
    ['what is not well-formed', document.slice(0, -3), 'no-xml'],
    ['two roots', `${document}${document}`, 'no-xml'],
    ['text after the root', `${document}x`, 'no-xml'],
    ['an entity that is not declared', inside('&e;'), 'no-xml'],
    ['an attribute twice', document.replace('Version=', 'ID="x" Version='), 'no-xml'],
    ['nothing', '', 'no-xml'],
  ])('%s', async (_what, xml, problem) => {
    expect(await documents.readResponse({ document: xml, certificates }, asking)).toEqual({
      kind: 'unusable',
      problem,
    });
  });

  test.each([
    ['as it is', document],
    ['with a declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${document}`],
    ['with a byte order mark', `\uFEFF${document}`],
    ['with space around it', `\n ${document}\n`],
  ])('what an IdP writes is read: %s', async (_how, xml) => {
    expect(await documents.readResponse({ document: xml, certificates }, asking)).toMatchObject({
      kind: 'signed',
      assertion: { nameId: { value: 'ada' } },
    });
  });
});
