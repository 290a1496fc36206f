import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '@tenantry/service/settings';
import { patience } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { service } from '../src/service.ts';

const secret = 'q7Zr0xkq1b9TgkG3n5cQeV2mYw8uLpAs4dJfHi6oNvE=';
const internalKey = 'p3Xw9LrT7uVb2NzKq8JmYc5HsFd1GaEo';
const valid = {
  AUTH_SECRET: secret,
  INTERNAL_API_KEY: internalKey,
  DATABASE_URL: 'postgresql://127.0.0.1/tenantry_auth',
};

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig('auth-service', service.config, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  test('needs a secret and a database, and has a default for the rest outside production', () => {
    const config = readConfig('auth-service', service.config, valid);
    expect(config).toMatchObject({
      PORT: 3000,
      AUTH_URL: 'http://127.0.0.1:8080/api/auth',
      AUTH_SECRET_PREVIOUS: [],
      PASSWORD_MIN_LENGTH: 8,
      BCRYPT_COST: 12,
      MAX_SESSIONS_PER_USER: 20,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test.each([
    ['missing', {}],
    ['empty', { AUTH_SECRET: '' }],
    ['short', { AUTH_SECRET: secret.slice(0, 31) }],
    ['a known default', { AUTH_SECRET: 'change-me-change-me-change-me-change-me' }],
    ['one repeated character', { AUTH_SECRET: 'x'.repeat(64) }],
  ])('refuses an AUTH_SECRET that is %s [S-182]', (_case, env) => {
    const problems = problemsOf({ ...valid, AUTH_SECRET: '', ...env });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((problem) => problem.startsWith('AUTH_SECRET '))).toBe(true);
  });

  test('reports every problem together, and no value', () => {
    const env = {
      NODE_ENV: 'production',
      PORT: '70000',
      AUTH_SECRET: 'too-short-to-be-a-secret',
      AUTH_SECRET_PREVIOUS: `${secret},short`,
      BCRYPT_COST: '9',
      PASSWORD_MIN_LENGTH: '6',
      DATABASE_URL: 'mysql://canary@127.0.0.1/x',
    };
    const problems = problemsOf(env);
    const names = ['AUTH_SECRET', 'AUTH_SECRET_PREVIOUS[1]', 'AUTH_URL', 'BCRYPT_COST', 'DATABASE_URL'];
    for (const name of [...names, 'PASSWORD_MIN_LENGTH', 'PORT']) {
      expect(problems.some((problem) => problem.startsWith(`${name} `))).toBe(true);
    }
    expect(problems.join('\n')).not.toMatch(/canary|too-short|q7Zr/);
  });

  test('refuses a cheap hash only in production [S-3]', () => {
    expect(problemsOf({ ...valid, BCRYPT_COST: '9' })).toEqual([]);
    const production = { ...valid, NODE_ENV: 'production', AUTH_URL: 'https://example.com/api/auth' };
    expect(problemsOf({ ...production, BCRYPT_COST: '9' })).toEqual(['BCRYPT_COST must be at least 10']);
    expect(problemsOf({ ...production, BCRYPT_COST: '10' })).toEqual([]);
  });
});

test('the service does not start without its secret, and says how to make one', () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@tenantry/source', main], {
    env: { DATABASE_URL: valid.DATABASE_URL, AUTH_SECRET: 'password' },
    encoding: 'utf8',
    timeout: patience(),
  });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('AUTH_SECRET must be at least 32 characters');
  expect(stderr).toContain('openssl rand -base64 48');
});
