import { Ajv } from 'ajv';
import { addDecimalsKeyword } from './decimals.ts';
import { addFormatKeyword } from './formats.ts';
import { addTextKeyword, type TextKind } from './text.ts';

/**
 * One strict Ajv for requests and configuration: it neither coerces nor removes (Fastify's defaults turn `null` into 0 and
 * silently drop unknown fields), and it reports all findings together.
 */
export const ajv = new Ajv({
  allErrors: true,
  // A finding carries the schema it comes from, which may have words of its own.
  verbose: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
});
addFormatKeyword(ajv);
addTextKeyword(ajv);
addDecimalsKeyword(ajv);
ajv.addVocabulary(['messages', 'commaList']);
// Those of settings, see SettingOptions.
ajv.addVocabulary(['secret', 'developmentDefault', 'productionMinimum']);

/** Keywords in addition to those of JSON Schema. */
export interface OwnKeywords {
  /** Trims the text, composes it (NFC) and refuses control characters, before any other rule applies. */
  readonly text?: TextKind;
  /** How many decimals a number may have. */
  readonly decimals?: number;
  /** The values that a text names, separated by commas; the document shows it as an array. */
  readonly commaList?: readonly string[];
  /** Messages for findings, by keyword: `{ pattern: 'must be 6 digits' }`. A `pattern` needs them. */
  readonly messages?: Readonly<Record<string, string>>;
}
