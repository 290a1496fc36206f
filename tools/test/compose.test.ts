import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { readConfig } from '@tenantry/service/settings';
import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../src/configuration/schema.ts';
import { discoverServices } from '../src/services.ts';

interface Container {
  image: string;
  build?: { args: Record<string, string> };
  environment?: Record<string, string | number>;
  volumes?: string[];
  ports?: string[];
}

const text = await readFile(join(workspaceRoot, 'docker-compose.yml'), 'utf8');
/** As Compose reads it where nothing is set. */
const compose = parse(
  text.replaceAll(/\$\{\w+:-([^}]*)\}/g, (_all, standard: string) => standard || '""'),
  {
    merge: true,
  },
) as {
  services: Record<string, Container>;
  volumes: Record<string, null>;
};
const job = await readFile(join(workspaceRoot, 'infra/compose/secrets.js'), 'utf8');
const services = discoverServices(workspaceRoot);

/** Stands for what the job "secrets" writes. */
const made = {
  DATABASE_URL: 'postgres://tenantry_leads_service:q8yV0n3kX1@postgres:5432/tenantry_leads',
  AUTH_SECRET: '9ZtJ0o7cW1sQ4uB8eR2yN6kM5xV3aL0d',
  INTERNAL_API_KEY: 'f4Hq8Zs1Lw6Nc3Vb9Ty2Ru7Ei5Oo0PaX',
};

describe.each(services)('docker-compose.yml', (service) => {
  const { name, port, prefix } = service;
  const container = compose.services[name];

  it(`gives ${name} every setting it needs in production, and none that it does not read`, async () => {
    const schema = (await readSettings(service)) as unknown as TObject;
    const environment = Object.fromEntries(
      Object.entries(container?.environment ?? {}).map(([setting, value]) => [setting, String(value)]),
    );

    const secrets = Object.fromEntries(
      Object.entries(made).filter(([setting]) => setting in schema.properties),
    );
    expect(() =>
      readConfig(name, schema, { NODE_ENV: 'production', ...secrets, ...environment }),
    ).not.toThrow();
    expect(Object.keys(environment).filter((setting) => !(setting in schema.properties))).toEqual([]);
  });

  it(`runs ${name} on its own image and with its own secrets alone`, () => {
    expect(container).toMatchObject({ image: `tenantry/${name}`, build: { args: { APP: name } } });
    const stem = prefix === undefined ? name : name.replace(/-service$/, '');
    expect(container?.volumes?.filter((volume) => volume.includes('secrets'))).toEqual([
      `${stem}-secrets:/secrets:ro`,
    ]);
    expect(compose.services['secrets']?.volumes).toContain(`${stem}-secrets:/secrets/${name}`);
    expect(Object.keys(compose.volumes)).toContain(`${stem}-secrets`);
    const seen = new RegExp(`^  '?${name}'?: \\[(.*)\\],$`, 'm').exec(job)?.[1] ?? '';
    for (const secret of service.secrets) expect(seen).toContain(`'${secret}'`);
  });

  it(`brings the mail of ${name} to the mail server or into the one volume, if it mails`, async () => {
    const { properties } = (await readSettings(service)) as unknown as TObject;
    const environment = container?.environment ?? {};
    expect(Object.keys(environment).includes('SMTP_URL')).toBe('SMTP_URL' in properties);
    if (!('SMTP_URL' in properties)) return;
    expect(environment['MAIL_DIRECTORY']).toBe('/mail');
    expect(container?.volumes).toContain('mail:/mail');
  });

  it(`gives ${name} room for files on their way, if it has any: nothing else of its container is writable`, async () => {
    const { properties } = (await readSettings(service)) as unknown as TObject;
    const environment = container?.environment ?? {};
    expect(environment['SPOOL_DIRECTORY']).toBe('SPOOL_DIRECTORY' in properties ? '/spool' : undefined);
    expect(container?.volumes?.includes('spool:/spool') ?? false).toBe('SPOOL_DIRECTORY' in properties);
  });

  it(`leads to ${name} through the gateway alone`, () => {
    expect(container?.ports).toEqual(prefix === undefined ? [`8080:${port}`] : undefined);
    const routes = compose.services['gateway']?.environment?.['ROUTES']?.toString().split(',');
    if (prefix !== undefined) expect(routes).toContain(`${prefix}=http://${name}:${port}`);
  });
});

it('docker-compose.yml holds no secret', () => {
  expect(text).not.toMatch(/(PASSWORD|SECRET|KEY): *[^\s$]/);
});
