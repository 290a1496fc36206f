import { describe, expect, it } from 'vitest';
import { mergeDocuments, type ApiDocument } from '../src/docs/merged-document.ts';
import { send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream, unusedPort } from './support/upstream.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const operation = (operationId: string, schema: object, tags?: readonly string[]) => ({
  get: { operationId, ...(tags && { tags }), responses: { 200: { content: { schema } } } },
});
const documentOf = (paths: object, schemas: object = {}) =>
  ({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths,
    components: { schemas },
  }) as unknown as ApiDocument;

const own = documentOf({ '/api/health': operation('getHealth', ref('Health'), ['health']) }, { Health: {} });
const part = (name: string, document: ApiDocument | undefined) => ({ prefix: `/api/${name}`, document });

describe('merged documents', () => {
  it('have the paths of every service below its prefix, and the health of the gateway alone', () => {
    const leads = documentOf({
      '/api/leads': operation('listLeads', {}, ['leads']),
      '/api/leads/audit': operation('listAudit', {}, ['audit']),
      '/api/leadsx': operation('listOthers', {}),
      '/api/health': operation('getHealth', { type: 'null' }),
    });
    const { paths, tags } = mergeDocuments(own, [part('leads', leads)]);
    expect(Object.keys(paths)).toEqual(['/api/leads', '/api/leads/audit', '/api/health']);
    expect(paths['/api/health']).toEqual(own.paths['/api/health']);
    expect(tags).toEqual([{ name: 'leads' }, { name: 'leads: audit' }, { name: 'health' }]);
  });

  const enveloped = { properties: { detail: ref('Detail') } };
  const service = (name: string, schemas: object) =>
    part(name, documentOf({ [`/api/${name}`]: operation(`list${name}`, ref('Failure')) }, schemas));

  it('share the schemas that services describe alike', () => {
    const schemas = { Failure: enveloped, Detail: { const: 'd' } };
    const { components } = mergeDocuments(own, [service('leads', schemas), service('users', schemas)]);
    expect(components['schemas']).toEqual({ ...schemas, Health: {} });
  });

  it('leave out the components that no operation refers to, by way of others as well', () => {
    const schemas = {
      Failure: enveloped,
      Detail: { const: 'd' },
      Stray: { properties: { of: ref('Stray') } },
    };
    const { components } = mergeDocuments(own, [service('leads', schemas)]);
    expect(Object.keys(components['schemas'] ?? {})).toEqual(['Failure', 'Detail', 'Health']);
  });

  it('refuse a schema that two services describe differently', () => {
    const parts = [
      service('leads', { Failure: enveloped, Detail: { const: 'one' } }),
      service('users', { Failure: enveloped, Detail: { const: 'other' } }),
    ];
    expect(() => mergeDocuments(own, parts)).toThrow('users describes Detail otherwise');
  });

  it('refuse an operationId that two services use', () => {
    const audit = (name: string) =>
      part(name, documentOf({ [`/api/${name}/audit`]: operation('listAudit', {}) }));
    expect(() => mergeDocuments(own, [audit('leads'), audit('sales-orders')])).toThrow(
      'leads and sales-orders both have an operation listAudit',
    );
  });

  it('name the responses that a service shares after the service', () => {
    const refusing = (name: string, description: string) => ({
      ...documentOf({
        [`/api/${name}`]: {
          get: {
            operationId: `list${name}`,
            responses: { 404: { $ref: '#/components/responses/NotFound' } },
          },
        },
      }),
      components: { responses: { NotFound: { description } } },
    });
    const { paths, components } = mergeDocuments(own, [
      part('leads', refusing('leads', 'No lead.')),
      part('sales-orders', refusing('sales-orders', 'No order.')),
    ]);
    expect(components['responses']).toEqual({
      LeadsNotFound: { description: 'No lead.' },
      SalesOrdersNotFound: { description: 'No order.' },
    });
    expect(JSON.stringify(paths['/api/sales-orders'])).toContain('responses/SalesOrdersNotFound"');
  });

  it('say which service is left out', () => {
    const merged = mergeDocuments(own, [part('leads', undefined), part('users', documentOf({}))]);
    expect(merged.info.description).toContain('`/api/leads`');
    expect(merged['x-unavailable']).toEqual(['/api/leads']);
  });
});

describe('GET /docs/openapi.json', () => {
  const startService = (name: string, port = 0) =>
    startUpstream((_request, response) => {
      response.end(JSON.stringify(documentOf({ [`/api/${name}`]: operation(`list${name}`, {}, [name]) })));
    }, port);
  const merged = async (port: number) => {
    const { status, text } = await send(port, '/docs/openapi.json');
    expect(status).toBe(200);
    return JSON.parse(text) as ApiDocument;
  };

  it('is one document of all services, with an introduction, asked for once', async () => {
    const [leads, users] = [await startService('leads'), await startService('users')];
    const { port } = await startGateway([`/api/leads=${leads.url}`, `/api/users=${users.url}`]);
    await Promise.all(Array.from({ length: 20 }, () => merged(port)));
    const { paths, info } = await merged(port);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/leads', '/api/users', '/api/health']));
    expect(info.description).toContain('Create an account');
    expect([leads.requests.length, users.requests.length]).toEqual([1, 1]);
    const { headers } = await send(port, '/docs/json');
    expect(headers.location).toBe('/docs/openapi.json');
  });

  it('is compressed for those who accept it', async () => {
    const { port } = await startGateway([`/api/leads=${(await startService('leads')).url}`]);
    const answer = await fetch(`http://127.0.0.1:${port}/docs/openapi.json`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.json()).toHaveProperty('paths');
  });

  it('leaves out what is away or talks of something else, and takes it in once it is back', async () => {
    const other = await startUpstream((_request, response) => void response.end('{"status":"ok"}'));
    const leads = await startService('leads');
    const awayPort = await unusedPort();
    const { port } = await startGateway([
      `/api/users=http://127.0.0.1:${awayPort}`,
      `/api/quotation=${other.url}`,
      `/api/leads=http://127.0.0.1:${await unusedPort()}|${leads.url}`,
    ]);
    const incomplete = await merged(port);
    expect(incomplete['x-unavailable']).toEqual(['/api/quotation', '/api/users']);
    expect(Object.keys(incomplete.paths)).toContain('/api/leads');

    await startService('users', awayPort);
    const left = async () => (await merged(port))['x-unavailable'];
    await expect.poll(left).toEqual(['/api/quotation']);
  });
});

describe('GET /docs', () => {
  it('loads nothing from elsewhere, and takes its document from here [S-130]', async () => {
    const { port } = await startGateway(['/api/leads=http://127.0.0.1:1']);
    const page = await send(port, '/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//);
      expect((await send(port, file)).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>|https?:\/\/|onload=|style=/);
    expect(page.text).toContain('<title>Tenantry API</title>');
  });
});
