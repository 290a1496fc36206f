import type { Static, TObject } from 'typebox';
import { ajv } from '../validation/ajv.ts';
import { findingsIn } from '../validation/findings.ts';

/** Keywords of a setting's schema in addition to those of JSON Schema. */
export interface SettingOptions {
  /** What the setting means, in one sentence; it is also the text of the README's table. */
  readonly description: string;
  /** The default outside production; in production the setting is required. */
  readonly developmentDefault?: unknown;
  /** The minimum in production. */
  readonly productionMinimum?: number;
  /**
   * Never shown, neither in an error report nor in a log. `in-part` if the value also contains names, which may be ordinary
   * words.
   */
  readonly secret?: boolean | 'in-part';
}

/** All problems of a configuration, reported together. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(service: string, problems: readonly string[]) {
    super(
      `${service} cannot start, its configuration is not valid:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

interface SettingSchema extends Partial<SettingOptions> {
  readonly type?: string;
  readonly default?: unknown;
}

/**
 * Parses the environment against a TypeBox object whose keys are the names of the variables.
 *
 * An empty variable counts as absent. Secrets that are too short, known defaults or one repeated character are
 * refused. The result is frozen.
 *
 * @throws {ConfigError} naming every variable that is missing or not acceptable, never its value.
 */
export function readConfig<Schema extends TObject>(
  service: string,
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Static<Schema>> {
  const production = env['NODE_ENV'] === 'production';
  const required = new Set((schema as { required?: readonly string[] }).required ?? []);
  const config: Record<string, unknown> = {};
  const problems: string[] = [];

  for (const [name, setting] of Object.entries(schema.properties as Record<string, SettingSchema>)) {
    const text = env[name] === '' ? undefined : env[name];
    const value = text === undefined ? defaultOf(setting, production) : fromText(text, setting.type);
    if (value !== undefined) config[name] = value;
    else if (required.has(name))
      problems.push(`${name} is required: ${setting.description ?? 'see the README'}`);
    if (production && typeof value === 'number' && value < (setting.productionMinimum ?? value)) {
      problems.push(`${name} must be at least ${setting.productionMinimum}`);
    }
    if (text !== undefined && setting.secret === true && isGuessable(text)) {
      problems.push(`${name} is a well-known or trivial value: make one with "openssl rand -base64 48"`);
    }
  }
  problems.push(...valueProblems(schema, config));
  if (problems.length > 0) throw new ConfigError(service, problems);
  return Object.freeze(config) as Readonly<Static<Schema>>;
}

function defaultOf(setting: SettingSchema, production: boolean): unknown {
  return setting.default ?? (production ? undefined : setting.developmentDefault);
}

function fromText(text: string, type: string | undefined): unknown {
  const trimmed = text.trim();
  if (type === 'integer' || type === 'number')
    return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
  if (type === 'boolean')
    return { true: true, on: true, '1': true, false: false, off: false, '0': false }[trimmed] ?? text;
  if (type === 'array') return trimmed.split(',').flatMap((item) => item.trim() || []);
  return text;
}

/** What is wrong with the values that there are. Ajv keeps the check of a schema. */
function valueProblems(schema: TObject, config: Record<string, unknown>): string[] {
  const check = ajv.compile(schema);
  if (check(config)) return [];
  const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== 'required');
  const { details } = findingsIn({ errors, value: config, part: 'configuration' });
  return details.map(({ field, message }) => `${field} ${message}`);
}

const knownDefaults = /change[-_ ]?me|your[-_ ]?secret|example|placeholder|^secret|password|default/i;

function isGuessable(secret: string): boolean {
  return knownDefaults.test(secret) || new Set(secret).size < 8;
}
