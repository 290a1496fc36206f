import { ApiError, internal, payloadTooLarge, unsupportedMediaType, type Refusal } from '@tenantry/envelope';
import { AccessError } from '@tenantry/jwt-verify';
import type { RouteOptions } from 'fastify';
import { csrfFailed, sessionAddressChanged } from '../browser/cookie-session.ts';
import { originNotAllowed } from '../browser/origins.ts';
import { isUnsafeRoute } from '../routes/methods.ts';
import { InvalidRequest } from '../validation/findings.ts';
import { databaseRefusals } from './refusals.ts';

/** The errors that any operation may return, from the service or the gateway. */
const ofAny: readonly Refusal[] = [
  new InvalidRequest([
    {
      details: [{ field: 'colour', rule: 'additionalProperties', message: 'is not a known field' }],
      more: 0,
    },
  ]),
  new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.', { statusCode: 408 }),
  new ApiError('RATE_LIMITED', 'Too many requests from your network. Try again in 12 seconds.', {
    headers: { 'retry-after': '12' },
  }),
  new ApiError('HEADERS_TOO_LARGE', 'The path and headers are larger than 16 KiB.'),
  internal,
  new ApiError('UPSTREAM_UNAVAILABLE', 'The service closed the connection before it answered.', {
    statusCode: 502,
  }),
  databaseRefusals.unavailable,
  databaseRefusals['too-slow'],
  new ApiError('UPSTREAM_UNAVAILABLE', 'The service did not answer in time.', { statusCode: 504 }),
];

const nothingThere = new ApiError('NOT_FOUND', 'Nothing has this id.');
const changedMeanwhile = new ApiError(
  'PRECONDITION_FAILED',
  'This has changed since you read it. Read it again, then repeat the change.',
);

/** The parts of a route that determine its errors. */
export type DescribedRoute = Pick<RouteOptions, 'config' | 'schema' | 'method'>;

const declared = new WeakMap<object, ReadonlySet<string>>();

/** Whether a refusal is among those of {@link refusalsOf}, by status and code. Hooks may have added to these until the boot. */
export function declares(route: DescribedRoute, refusal: Refusal): boolean {
  const { config = {} } = route;
  const known = declared.get(config) ?? new Set(refusalsOf(route).map(keyOf));
  declared.set(config, known);
  return known.has(keyOf(refusal));
}

/** All errors of an operation: those implied by its route, and those it declares. */
export function refusalsOf(route: DescribedRoute): readonly Refusal[] {
  const { config, schema = {} } = route;
  const unsafe = isUnsafeRoute(route);
  const implied = [
    ...refusedAccess(config?.access ?? 'public'),
    ...(unsafe
      ? [originNotAllowed(), databaseRefusals.contention, payloadTooLarge, unsupportedMediaType]
      : []),
    ...(unsafe && config?.access !== 'public' ? [csrfFailed()] : []),
    ...(schema.params === undefined ? [] : [nothingThere]),
    ...('if-match' in propertiesOf(schema.headers) ? [changedMeanwhile] : []),
    ...ofAny,
  ];
  // Declared errors are more specific than implied ones.
  return firstOfEach([...(config?.errors ?? []), ...implied]);
}

function firstOfEach(refusals: readonly Refusal[]): readonly Refusal[] {
  const byKey = new Map<string, Refusal>();
  for (const refusal of refusals) {
    const key = `${keyOf(refusal)} ${refusal.reason ?? ''}`;
    if (!byKey.has(key)) byKey.set(key, refusal);
  }
  return [...byKey.values()];
}

/** `409 SLUG_TAKEN`: identifies equal errors. */
const keyOf = ({ statusCode, code }: Refusal): string => `${statusCode} ${code}`;

function refusedAccess(access: string): readonly Refusal[] {
  if (access === 'public') return [];
  if (access === 'internal') return [AccessError.signInRequired()];
  // Returned to a browser by the gateway, if its session is used at another address.
  const notSignedIn = [AccessError.signInRequired(), sessionAddressChanged()];
  if (access === 'signed-in') return notSignedIn;
  return [...notSignedIn, AccessError.forbidden(access), AccessError.noActiveOrganization()];
}

function propertiesOf(schema: unknown): object {
  return (schema as { properties?: object } | undefined)?.properties ?? {};
}
