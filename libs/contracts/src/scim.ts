/** Where the directories of organizations provision people, by SCIM 2.0 (RFC 7644). */
export const scimPath = '/api/auth/scim/v2';

/** What the token of a directory begins with. */
export const scimTokenPrefix = 'tsc_';

/** The most tokens of a connection: an old one works while its directory is given a new one. */
export const scimTokensMax = 2;

/** What is said to the token of a directory at any other place than {@link scimPath}. */
export const misplacedScimToken =
  'This is the token of a directory, which provisions people at its own address, by SCIM, and does nothing else.';
