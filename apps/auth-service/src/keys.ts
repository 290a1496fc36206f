/**
 * The operator's commands for the signing keys, with the configuration of the running service:
 *
 *     node dist/keys.js list | rotate | remove KID
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tenantry/service';
import { createLogger } from '@tenantry/service/logging';
import { ConfigError, readConfig, settings } from '@tenantry/service/settings';
import { Type } from 'typebox';
import { ownSettings } from './config.ts';
import { tables } from './database.ts';
import { SecretRing } from './ground/index.ts';
import {
  KeyOperations,
  keySchedule,
  KeyUnknownError,
  signingLeaseMs,
  type ListedKey,
} from './tokens/index.ts';

const usage = `keys list          list the keys in the order in which they sign
keys rotate        announce the next key; it signs after 15 minutes, without interruption
keys remove KID    withdraw a key immediately; holders of a token that it signed must refresh
`;

const { AUTH_SECRET, AUTH_SECRET_PREVIOUS, SIGNING_KEY_ROTATION_DAYS } = ownSettings;
const KeysConfigSchema = Type.Object({
  AUTH_SECRET,
  AUTH_SECRET_PREVIOUS,
  SIGNING_KEY_ROTATION_DAYS,
  ...settings.databaseSettings,
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof KeyUnknownError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run([command = '', kid, ...rest]: readonly string[]): Promise<void> {
  const arity = { list: 0, rotate: 0, remove: 1 }[command];
  if (arity !== (kid === undefined ? 0 : 1) || rest.length > 0) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const config = readConfig('keys', KeysConfigSchema, process.env);
  const logger = createLogger({ name: 'keys', level: 'warn' });
  const database = openDatabase({ name: 'auth-service', ...tables }, { config, logger });
  try {
    const operations = new KeyOperations({
      database,
      secrets: new SecretRing(config.AUTH_SECRET, config.AUTH_SECRET_PREVIOUS),
      schedule: keySchedule(config.SIGNING_KEY_ROTATION_DAYS),
    });
    if (command === 'list') print(await operations.list());
    else if (command === 'rotate') print(await operations.rotate());
    else await remove(operations.remove(kid ?? ''));
  } finally {
    await database.close();
  }
}

async function remove(removal: Promise<ListedKey[]>): Promise<void> {
  print(await removal);
  await sleep(signingLeaseMs);
  process.stdout.write(
    'Removed: no instance signs with it any more, and verifiers refuse it within a minute.\n',
  );
}

function print(keys: readonly ListedKey[]): void {
  for (const { kid, state, signsFrom, publishedUntil, underCurrentSecret } of keys) {
    const parts = [
      kid,
      state.padEnd(7),
      `signs from ${signsFrom.toISOString()}`,
      publishedUntil ? `published until ${publishedUntil.toISOString()}` : '',
      underCurrentSecret ? '' : 'encrypted under a previous AUTH_SECRET',
    ];
    process.stdout.write(`${parts.filter(Boolean).join('  ')}\n`);
  }
}
