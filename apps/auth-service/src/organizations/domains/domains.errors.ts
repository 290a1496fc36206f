import { domainsMax } from '@tenantry/contracts';
import { ApiError, invalidField } from '@tenantry/envelope';
import type { ReasonOf } from '@tenantry/service/failures';
import type { RecordFinding } from './domain-records.ts';

/** The domain does not exist, or belongs to another organization. */
export function domainNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no domain with this id.');
}

/** @see domainsMax */
export function tooManyDomains(): ApiError {
  return new ApiError(
    'QUOTA_EXCEEDED',
    `The organization has ${domainsMax} domains, and nothing was changed. Delete one first.`,
    { statusCode: 409, reason: 'DOMAINS' },
  );
}

/** The organization has the domain. */
export function domainListed(): ApiError {
  return invalidField({
    field: 'domain',
    rule: 'unique',
    message: 'is a domain of the organization already',
  });
}

/** Another organization has proven the domain; which one is not said. */
export function domainTaken(): ApiError {
  return new ApiError(
    'DOMAIN_TAKEN',
    'Another organization has proven this domain. It has to delete it, or its record, first.',
    { statusCode: 409 },
  );
}

type Unproven = Exclude<RecordFinding, 'found'>;

const whyNot: Readonly<Record<Unproven, readonly [ReasonOf<'DOMAIN_NOT_VERIFIED'>, string]>> = {
  missing: [
    'RECORD_MISSING',
    'The record was not found. It can take an hour until a new one is seen everywhere.',
  ],
  different: ['RECORD_DIFFERENT', 'There is a record of this name with another value. Compare the two.'],
  unreadable: ['RECORD_UNREADABLE', 'The name servers of the domain did not answer. Try again later.'],
};

/** What was found in place of the record. */
export function domainNotVerified(finding: Unproven): ApiError {
  const [reason, message] = whyNot[finding];
  return new ApiError('DOMAIN_NOT_VERIFIED', message, { statusCode: 409, reason });
}

/** For routes that can return them. */
export const unverified = (Object.keys(whyNot) as Unproven[]).map(domainNotVerified);

/** No organization with this id lets the caller in by their address; the same for one that does not exist. */
export function notJoinable(): ApiError {
  return new ApiError('NOT_FOUND', 'No organization with this id lets you join with your address.');
}
