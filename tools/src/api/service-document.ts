import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from '@tenantry/dev-database';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import {
  buildService,
  openDatabase,
  type DefinedService,
  type ServiceParts,
  type StandardConfig,
} from '@tenantry/service';
import type { Service } from '@tenantry/service/http';
import { createLogger, type Logger } from '@tenantry/service/logging';
import { readConfig } from '@tenantry/service/settings';
import type { TObject } from 'typebox';
import { discoverServices, type ServiceDescription } from '../services.ts';

/** A service with its document. */
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

/** A service; auth-service has no use for a verifier. */
type Definition = DefinedService<ServiceParts & { verifier: Verifier }>;

async function build({ name, directory, prefix, secrets }: ServiceDescription): Promise<Service> {
  const env = {
    ...nowhere,
    ...Object.fromEntries(secrets.map((secret) => [secret, randomBytes(32).toString('base64url')])),
  };
  if (prefix === undefined) return buildGateway(name, directory, env);
  const { service } = await importFrom<{ service: Definition }>(directory, 'src/service.ts');
  const config = readConfig(name, service.config, env) as StandardConfig;
  const logger = silent(name);
  const database = openDatabase(service, { config, logger });
  const verifier = createVerifier({ issuer: nowhere.AUTH_URL, revocations: false });
  return buildService(service, { config, database, logger, verifier });
}

interface GatewayApp {
  readonly buildApp: (config: object, logger: Logger) => Promise<Service>;
}

type Environment = Readonly<Record<string, string>>;

async function buildGateway(name: string, directory: string, env: Environment): Promise<Service> {
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
