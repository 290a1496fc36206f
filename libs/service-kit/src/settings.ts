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

/** The settings that every service shares; spread them into the service's own schema. */
export const standardSettings = {
  NODE_ENV: Type.Enum(['development', 'test', 'production'], {
    default: 'development',
    description: 'runtime mode, for example production',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'least severity that is logged',
  }),
  TRUST_PROXY: Type.Array(Type.String({ pattern: '^[0-9a-fA-F.:]+(/[0-9]{1,3})?$' }), {
    default: [],
    description: 'addresses or CIDR ranges of proxies whose X-Forwarded-For is believed, separated by commas',
  }),
  SHUTDOWN_GRACE_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description: 'how long readiness says no before the listening socket closes at SIGTERM',
  }),
} as const;

/** A secret: never shown, refused when short, repeated or a known default. */
export const secret = (options: SettingOptions & { readonly minLength?: number }) =>
  Type.String({ minLength: 32, ...options, secret: true });

/** A PostgreSQL connection string; it carries a password and is never shown. */
export const databaseUrl = (description: string) =>
  Type.String({ pattern: '^postgres(ql)?://', description });
