import { isTenantryError, type ErrorCode, type TenantryError } from '@tenantry/client';
import { DeviceError } from './device-error.ts';
import type { FailureWords } from './failures.words.en.ts';
import type { AllFailureWords } from './use-failure-words.ts';

/** The words that every page has, or all. */
type Said = FailureWords | AllFailureWords;

/** An error to show. */
export interface Problem {
  /** Undefined for a defect of the console. */
  readonly code: ErrorCode | undefined;
  /** What happened and what to do, in one or two sentences. */
  readonly text: string;
  /** Messages by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The request id, if the fault is ours. */
  readonly requestId: string | undefined;
  /** When trying again helps. */
  readonly retryAfterSeconds: number | undefined;
}

/** What to say of a refusal, given the messages that stand beside its fields already. */
export function sentencesOf({ code, text, fields }: Problem, shown: ReadonlySet<string>, words: Said) {
  if (code !== 'VALIDATION_ERROR') return [text];
  const findings = Object.entries(fields).toReversed();
  const unplaced = findings.filter(([, message]) => !shown.has(message));
  if (findings.length === 0) return [words.notAccepted];
  return [
    ...(unplaced.length < findings.length ? [text] : []),
    ...unplaced.map(([field, message]) => (field === 'body' ? message : `${field}: ${message}`)),
  ];
}

/** Explains a failure in words, by its code, reason and rules; its message is for developers. */
export function problemOf(error: unknown, words: Said): Problem {
  if (!isTenantryError(error)) {
    const nothing = { code: undefined, requestId: undefined, retryAfterSeconds: undefined };
    const text = error instanceof DeviceError ? words.device[error.reason] : words.defect;
    return { ...nothing, text, fields: {} };
  }
  // A newer service may return codes that this page does not know.
  const rules: Partial<AllFailureWords['rules']> = words.rules;
  const fields = error.details.map(({ field, rule, params = {} }) => {
    return [field, rules[rule]?.(params) ?? words.notAccepted] as const;
  });
  return {
    code: error.code,
    text: sentenceOf(error, words),
    // Only the first finding of a field is shown.
    fields: Object.fromEntries(fields.toReversed()),
    requestId: isOurs(error) ? error.requestId : undefined,
    retryAfterSeconds: error.retryAfterSeconds,
  };
}

function sentenceOf({ code, reason }: TenantryError, words: Said): string {
  const byReason = words.reasons as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const byCode: Partial<AllFailureWords['codes']> = words.codes;
  return byReason[code]?.[reason ?? ''] ?? byCode[code] ?? words.defect;
}

/** Errors that the user cannot resolve. */
const isOurs = ({ status }: TenantryError): boolean => status >= 500;
