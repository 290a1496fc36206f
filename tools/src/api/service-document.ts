import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { buildBusinessService, openDatabase, type BusinessService } from '@tenantry/business-service';
import { workspaceRoot } from '@tenantry/dev-database';
import { createVerifier } from '@tenantry/jwt-verify';
import { createLogger, readConfig, type Logger, type Service } from '@tenantry/service-kit';
import type { TObject } from 'typebox';
import { discoverServices, type ServiceDescription } from '../services.ts';

/** A service with its document, which the kit makes. */
type Described = Service & { readonly swagger: () => object };

/** Writes the OpenAPI document of one service, named by its folder, to standard output. */
async function describe(name: string | undefined): Promise<void> {
  const service = discoverServices(workspaceRoot).find((known) => known.name === name);
  if (!service) throw new Error(`There is no service ${String(name)}.`);
  const app = (await build(service)) as Described;
  await app.ready();
  const document = JSON.stringify(app.swagger());
  await app.close();
  process.stdout.write(document);
}

/** Settings without which no service is built. Nothing listens there: describing itself takes no database. */
const nowhere = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  AUTH_URL: 'http://127.0.0.1:1/api/auth',
  MAIL_DIRECTORY: join(tmpdir(), 'tenantry-described-mail'),
};

function build(service: ServiceDescription): Promise<Service> {
  const secrets = service.secrets.map((name) => [name, randomBytes(32).toString('base64url')] as const);
  const env = { ...nowhere, ...Object.fromEntries(secrets) };
  if (service.prefix === undefined) return buildGateway(service, env);
  return existsSync(join(service.directory, 'src/service.ts'))
    ? buildBusiness(service, env)
    : buildAuth(service, env);
}

type Environment = Readonly<Record<string, string>>;

async function buildBusiness({ name, directory }: ServiceDescription, env: Environment): Promise<Service> {
  const { service } = await importFrom<{ service: BusinessService }>(directory, 'src/service.ts');
  const config = readConfig(name, service.config, env) as Parameters<typeof openDatabase>[1]['config'];
  const logger = silent(name);
  const database = openDatabase(service, { config, logger });
  const verifier = createVerifier({ issuer: nowhere.AUTH_URL, revocations: false });
  return buildBusinessService(service, { config, database, verifier, logger });
}

interface AuthApp {
  readonly buildApp: (dependencies: object) => Promise<Service>;
}

interface AuthDatabase {
  readonly openDatabase: (config: object, logger: Logger) => object;
}

async function buildAuth({ name, directory }: ServiceDescription, env: Environment): Promise<Service> {
  const { ConfigSchema } = await importFrom<{ ConfigSchema: TObject }>(directory, 'src/config.ts');
  const { openDatabase: open } = await importFrom<AuthDatabase>(directory, 'src/database.ts');
  const { buildApp } = await importFrom<AuthApp>(directory, 'src/app.ts');
  const config = readConfig(name, ConfigSchema, env);
  const logger = silent(name);
  return buildApp({ config, logger, database: open(config, logger), version: '0.0.0' });
}

interface GatewayApp {
  readonly buildApp: (config: object, logger: Logger) => Promise<Service>;
}

async function buildGateway({ name, directory }: ServiceDescription, env: Environment): Promise<Service> {
  const { ConfigSchema } = await importFrom<{ ConfigSchema: TObject }>(directory, 'src/config.ts');
  const { buildApp } = await importFrom<GatewayApp>(directory, 'src/app.ts');
  return buildApp(readConfig(name, ConfigSchema, env), silent(name));
}

const importFrom = <Module>(directory: string, file: string): Promise<Module> =>
  import(pathToFileURL(join(directory, file)).href) as Promise<Module>;

/** That there is no database is no news. */
function silent(name: string): Logger {
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() });
  return createLogger({ name, level: 'fatal', destination });
}

await describe(process.argv[2]);
