import type { ErrorDetail } from '@tenantry/envelope';
import { hasForeignLocalPart } from '@tenantry/text';
import type { ErrorObject } from 'ajv';
import type { OwnKeywords } from './ajv.ts';

/** The names of formats in findings; a schema with any other does not boot. */
export const formatNames: Readonly<Record<string, string>> = {
  email: 'a valid e-mail address',
  uuid: 'a UUID',
  'date-time': 'an ISO 8601 timestamp with a time zone',
  date: 'a date, YYYY-MM-DD',
  'date-or-time': 'a date, YYYY-MM-DD, or an ISO 8601 timestamp with a time zone',
  uri: 'an absolute URL',
  'entity-tags': '* or entity tags in quotation marks, such as "3"',
};

/**
 * The rule that a value breaks, its parameters, and a message in English that a client can act on; the schema's own message
 * takes precedence.
 */
export function brokenRuleOf(error: ErrorObject): Omit<ErrorDetail, 'field'> {
  if (isForeignLocalPart(error)) return { rule: 'localPart', message: foreignLocalPart };
  if (isMissingText(error)) return { rule: 'minLength', params: { limit: 1 }, message: 'must not be empty' };
  const { keyword, parentSchema } = error;
  const own = (parentSchema as OwnKeywords | undefined)?.messages?.[keyword];
  const params = paramsOf(error);
  return { rule: keyword, ...(params && { params }), message: own ?? messageOf(error) };
}

/** An address that a mail server may well have, but that not every one on the way to it can carry. */
const isForeignLocalPart = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'format' && params['format'] === 'email' && hasForeignLocalPart(String(data));

const foreignLocalPart =
  'must have only ASCII letters, digits and signs before the @: others are not supported';

/** An empty text has no wrong format: it is not there. */
const isMissingText = ({ keyword, data }: ErrorObject): boolean =>
  data === '' && ['format', 'pattern', 'minLength'].includes(keyword);

/** Without the part that the field's path repeats. */
function paramsOf({ keyword, params }: ErrorObject): Readonly<Record<string, unknown>> | undefined {
  switch (keyword) {
    case 'required':
    case 'additionalProperties':
    case 'anyOf':
    case 'oneOf':
    case 'not':
      return undefined;
    case 'type':
      return { type: String(params['type']).split(',') };
    case 'enum':
      return { allowed: params['allowedValues'] as unknown };
    case 'const':
      return { allowed: [params['allowedValue']] };
    case 'format':
      return { format: params['format'] as unknown };
    case 'pattern':
      return { pattern: params['pattern'] as unknown };
    default:
      return params['limit'] === undefined ? undefined : { limit: params['limit'] as unknown };
  }
}

function messageOf({ keyword, params }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'type':
      return `must be ${withArticle(String(params['type']))}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'format':
      return `must be ${formatNames[String(params['format'])] ?? 'in the right format'}`;
    case 'text':
      return 'must not contain control characters';
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`;
    case 'maxLength':
      return `must be at most ${counted(limit, 'character')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'decimals':
      return `must have at most ${counted(limit, 'decimal')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'uniqueItems':
      return 'must not repeat an item';
    case 'minProperties':
      return 'must name at least one field';
    default:
      return 'is not valid';
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function withArticle(types: string): string {
  return types
    .split(',')
    .map((type) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`))
    .join(' or ');
}
