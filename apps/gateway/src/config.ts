import { settings } from '@tenantry/service/settings';
import { Type, type Static } from 'typebox';

const defaultRoutes = [
  '/api/auth=http://127.0.0.1:3000',
  '/api/leads=http://127.0.0.1:3001',
  '/api/users=http://127.0.0.1:3002',
  '/api/quotation=http://127.0.0.1:3003',
];

/** The environment of the gateway. To add a service, add an entry to ROUTES. */
export const ConfigSchema = Type.Object({
  ...settings.standardSettings,
  PORT: settings.port(8080),
  HOST: Type.String({
    pattern: '^[0-9a-fA-F.:]+$',
    messages: { pattern: 'must be an IP address' },
    default: '127.0.0.1',
    description: 'address (not a name) to listen on',
  }),
  ROUTES: Type.Array(
    Type.String({
      pattern: '^/[^=,]+=[^=,]+(;timeout=[0-9]+)?$',
      messages: { pattern: 'must be /prefix=http://upstream, with ;timeout=seconds where it differs' },
    }),
    {
      minItems: 1,
      developmentDefault: defaultRoutes,
      description:
        'address of the service behind each path prefix, for example ' +
        '/api/auth=http://auth:3000,/api/leads=http://leads-a:3001|http://leads-b:3001;timeout=30',
    },
  ),
  UPSTREAM_TIMEOUT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 600,
    default: 10,
    description: 'seconds a service may stay silent before the request times out',
  }),
  KEEP_ALIVE_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 72,
    description:
      'seconds an idle client connection is kept open; set it longer than the load balancer in front keeps its own ' +
      '(60 for most, 600 for some)',
  }),
  CONNECTIONS_MAX: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'maximum client connections; any further one is closed immediately',
  }),
  CONNECTIONS_PER_ADDRESS_MAX: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1_000,
    description: 'maximum connections per client address (IPv6: per /64), except for proxies in TRUST_PROXY',
  }),
  CONSOLE_DIRECTORY: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'folder of the built console, which is then served at /, with its brotli and gzip files',
    }),
  ),
  ...settings.frontendSettings,
  AUTH_URL: Type.Optional(
    Type.String({
      ...settings.urlWithoutQuery,
      description:
        'issuer of the tokens; the requests of signed-in users are counted by session with it, and by address without it',
    }),
  ),
  REDIS_URL: settings.redisUrl,
  RATE_LIMIT_PER_MINUTE: settings.rateLimit(
    600,
    'requests per minute and client address (IPv6: per /64, and ten times as many per /48); a session may make as many at ' +
      'each address, all sessions of a user five times as many, and all users of one address twenty times as many',
  ),
});

/** The configuration of the gateway. */
export type Config = Readonly<Static<typeof ConfigSchema>>;
