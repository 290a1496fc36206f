import { Type } from 'typebox';
import type { SettingOptions } from './config.ts';

/** A listening port. */
export const port = (standard: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: standard,
    description: `listening port, ${standard} by default`,
  });

/** The port for peers: paths below /internal are served there and nowhere else. */
export const internalPort = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'separate port for /internal, which other services call; without it PORT serves /internal',
  }),
);

/** The settings that every service shares; spread them into the service's own schema. */
export const standardSettings = {
  NODE_ENV: Type.Enum(['development', 'test', 'production'], {
    default: 'development',
    description: 'runtime mode, for example production',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'port on which Prometheus reads metrics; without it none are served',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^?#\\s]+$',
      messages: { pattern: 'must be an http:// or https:// URL without a query' },
      description:
        'base URL of an OpenTelemetry collector (OTLP over HTTP, usually port 4318); without it nothing is traced',
    }),
  ),
  TRACE_RATIO: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.01,
    description:
      'share of traces that are recorded; a proxy in TRUST_PROXY, such as the gateway for the services, decides for the traces that it starts',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  LISTEN_FDS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1,
      description: '1 if the listening socket is passed as descriptor 3 (socket activation, as by systemd)',
    }),
  ),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'minimum log level',
  }),
  TRUST_PROXY: Type.Array(
    Type.String({
      pattern: '^[0-9a-fA-F.:]+(/[0-9]{1,3})?$',
      messages: { pattern: 'must be an address or a CIDR range' },
    }),
    {
      default: [],
      description: 'comma-separated addresses or CIDR ranges of the proxies whose X-Forwarded-For is trusted',
    },
  ),
  BODY_TIMEOUT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 60,
    description:
      'seconds within which the body of a request must be whole, unless it is a file; 408 after that',
  }),
  FILE_TIMEOUT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 900,
    description: 'seconds within which an uploaded file must be whole; 408 after that',
  }),
  SHUTDOWN_GRACE_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description: 'seconds between SIGTERM and closing the listening socket, during which readiness is 503',
  }),
} as const;

/** The setting of a service that keeps an audit trail. */
export const auditSettings = {
  AUDIT_RETENTION_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 400,
    description:
      'days after which an entry of the audit trail is deleted, at least 30; 0 keeps the trail for ever',
  }),
} as const;

/** A maximum that someone may reach by use. */
export const quota = (standard: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: standard, description });

/** The quotas of organizations in a service. */
export const quotaSettings = {
  QUOTA_ROWS: quota(1_000_000, 'maximum rows that an organization stores in this service'),
  QUOTA_BYTES: quota(2 * 1024 ** 3, 'maximum bytes of those rows'),
  QUOTA_ROWS_UNCONFIRMED: quota(
    100_000,
    'maximum rows of an organization in which no owner has confirmed an e-mail address',
  ),
  QUOTA_BYTES_UNCONFIRMED: quota(20 * 1024 ** 2, 'maximum bytes of those rows'),
} as const;

/** A secret: never shown, refused when short, repeated or a known default. */
export const secret = (options: SettingOptions & { readonly minLength?: number }) =>
  Type.String({ minLength: 32, ...options, secret: true });

/** A PostgreSQL connection string; it carries a password and is never shown. */
export const databaseUrl = (description: string) =>
  Type.String({
    pattern: '^postgres(ql)?://',
    messages: { pattern: 'must begin with postgres://' },
    description,
  });

/** The settings of a service with a database of its own. */
export const databaseSettings = {
  DATABASE_URL: databaseUrl("PostgreSQL connection string of the service's database, as its runtime role"),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'maximum database connections',
  }),
  TENANT_BINDING: Type.Enum(['connection', 'transaction'], {
    default: 'connection',
    description:
      'how long a database connection stays bound to an organization; use transaction behind a pooler in transaction mode',
  }),
} as const;

/** The replica for a service's lists. */
export const replicaSettings = {
  DATABASE_REPLICA_URL: Type.Optional(
    databaseUrl(
      'PostgreSQL connection string of one or more read replicas, as the same role; lists, searches and statistics are read there',
    ),
  ),
} as const;

/** The address for a service that listens for notifications. */
export const listenerSettings = {
  DATABASE_DIRECT_URL: Type.Optional(
    databaseUrl(
      'PostgreSQL connection string for notifications, bypassing a pooler in transaction mode; by default DATABASE_URL',
    ),
  ),
} as const;

/** Where instances share their rate limits; it may carry a password and is never shown. */
export const redisUrl = Type.Optional(
  Type.String({
    pattern: '^rediss?://',
    messages: { pattern: 'must begin with redis:// or rediss://' },
    description:
      'Redis in which instances share their rate limits; without it each process counts on its own',
  }),
);

/** The keys that services authenticate to each other with: the first one is sent, all of them are accepted. */
export const internalApiKey = Type.Array(Type.String({ minLength: 32 }), {
  minItems: 1,
  secret: true,
  description:
    'key with which services call each other, at least 32 characters; during a rotation the previous one after a comma',
});

/** The maximum within a window. */
export const rateLimit = (standard: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: standard, description });

const frontend = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^https?://[^?#\\s]+$',
      messages: { pattern: 'must be an http:// or https:// URL without a query' },
      description,
    }),
  );

/** The front ends that browsers may call from; http://localhost:5173 is one of them outside production. */
export const frontendSettings = {
  FRONTEND_URL: frontend(
    'URL of the web front end: its origin may call from a browser, and letters link to its pages',
  ),
  FRONTEND_STAGING_URL: frontend('URL of the staging web front end, whose origin may call from a browser'),
} as const;

/** The description of a URL that others are derived from. */
export const urlWithoutQuery = {
  pattern: '^https?://[^?#]*[^/?#]$',
  messages: { pattern: 'must be an http:// or https:// URL without a query and without a slash at its end' },
} as const;

/** The public base address of the auth endpoints. */
export const authUrl = Type.String({
  ...urlWithoutQuery,
  developmentDefault: 'http://127.0.0.1:8080/api/auth',
  description:
    'public base URL of the auth endpoints, without a trailing slash; also the issuer of the tokens. The gateway counts the ' +
    'requests of signed-in users by session with it, and all of them by address without it',
});

/** The settings of a service that verifies tokens by itself. */
export const verifierSettings = {
  AUTH_URL: authUrl,
  AUTH_JWKS_URL: Type.Optional(
    Type.String({
      ...urlWithoutQuery,
      description:
        "URL of the key set, AUTH_URL/jwks by default; inside a cluster use auth-service's own address",
    }),
  ),
  AUTH_REVOCATIONS_URL: Type.String({
    ...urlWithoutQuery,
    developmentDefault: 'http://127.0.0.1:3000/internal/revocations',
    description:
      "URL of the revocation feed: /internal/revocations at auth-service's own address (with INTERNAL_PORT if that is set), which the gateway does not expose",
  }),
} as const;

/** How mail leaves: by SMTP, or into files. */
export const mailSettings = {
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      messages: { pattern: 'must begin with smtp:// or smtps://' },
      description:
        'mail server, such as smtps://user:password@host; without one, mail is written to MAIL_DIRECTORY',
    }),
  ),
  MAIL_DIRECTORY: Type.String({
    default: '.tenantry/mail',
    description: 'directory for mail when SMTP_URL is not set',
  }),
  MAIL_FROM: Type.String({
    pattern: '^[^\\r\\n]*@[^\\r\\n]+$',
    messages: { pattern: 'must be one e-mail address, with or without a name' },
    default: 'Tenantry <no-reply@tenantry.localhost>',
    description: 'sender of e-mails',
  }),
} as const;
