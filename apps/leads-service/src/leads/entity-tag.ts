/** The entity tag of a version of a resource (RFC 9110, 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Reads an If-Match header (RFC 9110, 13.1.1): which versions the client is willing to change. Without the header,
 * and with `*`, every one. Weak tags never match.
 */
export function acceptedVersions(ifMatch: string | undefined): (version: number) => boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true;
  const tags = new Set(ifMatch.split(',').map((tag) => tag.trim()));
  return (version) => tags.has(entityTag(version));
}
