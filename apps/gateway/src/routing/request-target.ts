/** RFC 3986, 3.3: pchar and `/`. Whatever else a client sends raw, a service might read differently than we do. */
const plainPath = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
/** A `%` that two hex digits do not follow. */
const brokenEncoding = /%(?![0-9a-fA-F]{2})/;
/** Encoded control bytes, slashes and backslashes: decoded once too often, they become structure. */
const encodedStructure = /%(?:[01][0-9a-f]|7f|2f|5c)/i;
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The path of a request target, without its query string. */
export function pathOf(target: string): string {
  const queryStart = target.indexOf('?');
  return queryStart < 0 ? target : target.slice(0, queryStart);
}

/**
 * Why a path is refused, or undefined.
 *
 * The gateway matches the raw path and the service decodes it, so a path that the two could understand
 * differently is refused and never repaired.
 */
export function pathProblem(path: string): string | undefined {
  if (!plainPath.test(path)) return 'must be an absolute path of visible ASCII characters';
  if (path.includes('//')) return 'must not contain empty segments';
  if (path.includes('/.') && dotSegment.test(path)) return 'must not contain dot segments';
  if (path.includes('%')) {
    if (brokenEncoding.test(path)) return 'is not validly percent-encoded';
    if (encodedStructure.test(path)) return 'must not contain encoded slashes, backslashes or control bytes';
    if (dotSegment.test(path)) return 'must not contain dot segments';
  }
  return undefined;
}
