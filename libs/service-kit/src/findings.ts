import type { ErrorDetail } from '@tenantry/envelope';
import type { ErrorObject } from 'ajv';

const formatNames: Readonly<Record<string, string>> = {
  email: 'a valid e-mail address',
  uuid: 'a UUID',
  'date-time': 'an ISO 8601 timestamp with a time zone',
  date: 'a date, YYYY-MM-DD',
  uri: 'an absolute URL',
};

/** Says each finding of Ajv in words a client can act on, one per field and rule. */
export function describeFindings(errors: readonly ErrorObject[], part: string): ErrorDetail[] {
  const details = withoutBranchNoise(errors).map((error) => ({
    field: fieldOf(error) || part,
    message: messageOf(error),
  }));
  return details.filter(
    (detail, index) =>
      details.findIndex(({ field, message }) => field === detail.field && message === detail.message) ===
      index,
  );
}

/** A failed `anyOf` reports every branch and itself: keep what the value's likely branch says. */
function withoutBranchNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  return errors.filter((error) => {
    const union = unions.find(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`));
    if (union) return !isNullBranch(error);
    return error.keyword !== 'anyOf' || !errors.some((other) => explains(other, error));
  });
}

const isNullBranch = (error: ErrorObject): boolean =>
  error.keyword === 'type' && error.params['type'] === 'null';

const explains = (error: ErrorObject, union: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) && !isNullBranch(error);

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') path.push(String(params['missingProperty']));
  if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']));
  return path.join('.');
}

/** RFC 6901, section 4. */
const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function messageOf({ keyword, params, message }: ErrorObject): string {
  const limit = String(params['limit']);
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
      return `must be ${formatNames[String(params['format'])] ?? String(params['format'])}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must be at least ${limit} characters`;
    case 'maxLength':
      return `must be at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'minProperties':
      return 'must name at least one field';
    default:
      return message ?? 'is not valid';
  }
}

function withArticle(types: string): string {
  return types
    .split(',')
    .map((type) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`))
    .join(' or ');
}
