import { connectionsMax } from '@tenantry/contracts';
import { ApiError, invalidField } from '@tenantry/envelope';

/** The connection does not exist, or belongs to another organization. */
export function connectionNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no connection with this id.');
}

/** By the domain of the address alone: whether it has an account is not said. */
export function signInNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'No organization signs people in with this address. Sign in another way.');
}

/** @see connectionsMax */
export function tooManyConnections(): ApiError {
  return new ApiError(
    'QUOTA_EXCEEDED',
    `The organization has ${connectionsMax} connections, and nothing was changed. Delete one first.`,
    { statusCode: 409, reason: 'CONNECTIONS' },
  );
}

/** By groups of a directory, whose people have a role at once or none. */
export const tooManyRoles = (): ApiError =>
  new ApiError(
    'CONFLICT',
    'More than 200 people would have another role, and nothing was changed. Change smaller groups first, one at a time.',
    { reason: 'TOO_MANY_ROLES' },
  );

/** A connection speaks for verified domains: without one it speaks for nobody. */
export function domainMissing(): ApiError {
  return new ApiError('DOMAIN_NOT_VERIFIED', 'Verify a domain of the organization first.', {
    statusCode: 409,
    reason: 'NO_DOMAIN',
  });
}

/** What the IdP gives is still to come: issuer, client id and secret, or of SAML its metadata. */
export function connectionIncomplete(): ApiError {
  return new ApiError('CONFLICT', 'Give what the identity provider gives first.', {
    reason: 'CONNECTION_INCOMPLETE',
  });
}

/** Nobody signs in with a certificate that has ended. */
export function certificatesEnded(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Every certificate of the identity provider has ended. Give a new one first.',
    {
      reason: 'CERTIFICATES_ENDED',
    },
  );
}

/** Another connection signs people in, or this one does while its issuer is to change. */
export function connectionEnabled(): ApiError {
  return new ApiError('CONFLICT', 'Turn off the connection that is on first.', {
    reason: 'CONNECTION_ENABLED',
  });
}

/** An issuer that is not called: not https, not public, or not one of its kind. */
export function issuerRefused(): ApiError {
  return invalidField({
    field: 'issuer',
    rule: 'allowed',
    message: 'must be the public https:// address of an issuer of this kind, and so must its endpoints',
  });
}

/** What the issuer says of itself is not what it should be. */
export function issuerInvalid(): ApiError {
  return invalidField({
    field: 'issuer',
    rule: 'valid',
    message: 'does not describe itself as OpenID Connect Discovery 1.0 has it, or names another issuer',
  });
}

/** An address of SAML that is not called, or not sent to: not https, or not public. */
export function samlRefused(): ApiError {
  return invalidField({
    field: 'saml',
    rule: 'allowed',
    message: 'must name public https:// addresses: of the metadata, and of the page where people sign in',
  });
}

/** What the IdP says of itself, or what is given of it, cannot be used. */
export function samlInvalid(): ApiError {
  return invalidField({
    field: 'saml',
    rule: 'valid',
    message:
      'must be the metadata of one identity provider: an entity id that is a URI, an address for HTTP-Redirect, and a certificate that ' +
      'has not ended, of RSA with 2048 bits or more, P-256 or P-384',
  });
}

/** One part of what is given singly cannot be used. @param problem as `admitMetadata` names it, or `certificates[1]` */
export function samlPartInvalid(problem: string): ApiError {
  if (problem === 'entity-id') {
    const message = 'must be a URI of visible ASCII characters';
    return invalidField({ field: 'saml.entityId', rule: 'valid', message });
  }
  if (problem === 'sso-url') return ssoUrlRefused();
  return invalidField({
    field: `saml.${problem}`,
    rule: 'valid',
    message: 'must be a certificate that has not ended, of RSA with 2048 bits or more, P-256 or P-384',
  });
}

/** The page where people sign in, given singly. */
export function ssoUrlRefused(): ApiError {
  return invalidField({
    field: 'saml.ssoUrl',
    rule: 'allowed',
    message: 'must be a public https:// address',
  });
}

/** A field of OpenID Connect for a connection of SAML, or the other way round. */
export function fieldOfOtherKind(field: string): ApiError {
  return invalidField({ field, rule: 'allowed', message: 'belongs to connections of another kind' });
}

/** No IdP reaches an owner who has not linked it. */
export function linkRequired(): ApiError {
  return new ApiError(
    'LINK_REQUIRED',
    'Owners link their account at the identity provider first, from a session with a second factor.',
    { statusCode: 403 },
  );
}

/** An owner links from a session with two factors, which this one cannot have yet. */
export function secondFactorFirst(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'Turn two-factor authentication on for your own account before you link it.',
    { statusCode: 409 },
  );
}

/** Somebody whom the organization removed: they come back by an invitation. */
export function memberRemoved(): ApiError {
  return new ApiError('MEMBER_REMOVED', 'The organization has removed you. Ask it for an invitation.', {
    statusCode: 403,
  });
}

/** The account is linked to somebody else at the IdP, or the other way round. */
export function identityTaken(): ApiError {
  return new ApiError(
    'IDENTITY_IN_USE',
    'This account is linked to another one at the identity provider, or the other way round.',
    { statusCode: 409 },
  );
}
