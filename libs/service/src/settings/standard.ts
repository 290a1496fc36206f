import { Type } from 'typebox';

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
