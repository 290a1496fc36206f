/** RFC 3986, 3.3: pchar and `/`. A service might interpret any other raw character differently. */
const plainPath = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
/** A `%` that is not followed by two hex digits. */
const brokenEncoding = /%(?![0-9a-fA-F]{2})/;
/** Encoded control bytes, slashes and backslashes: decoded once too often, they change the path's structure. */
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
 * The gateway matches the raw path and the service decodes it, so a path that the two could interpret differently is refused,
 * never normalized.
 */
export function pathProblem(path: string): string | undefined {
  if (!plainPath.test(path)) return 'must be an absolute path of visible ASCII characters';
  if (path.includes('//')) return 'must not contain empty segments';
  if (path.includes('/.') && dotSegment.test(path)) return 'must not contain dot segments';
  if (path.includes('%')) {
    if (brokenEncoding.test(path)) return 'is not validly percent-encoded';
    if (encodedStructure.test(path)) return 'must not contain encoded slashes, backslashes or control bytes';
    if (dotSegment.test(path)) return 'must not contain dot segments';
    if (!isUtf8Encoding(path)) return 'is not validly percent-encoded';
  }
  return undefined;
}

function isUtf8Encoding(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

interface TargetedRequest {
  readonly url?: string | undefined;
}

const problems = new WeakMap<TargetedRequest, string>();

/** The path by which Fastify routes a request: never one that could be read in two ways, see {@link targetProblem}. */
export function routedTarget(request: TargetedRequest): string {
  const target = request.url ?? '';
  const problem = pathProblem(pathOf(target));
  if (problem === undefined) return target;
  problems.set(request, problem);
  return '/';
}

/** Why the path of a request that went through {@link routedTarget} is refused, or undefined. */
export function targetProblem(request: TargetedRequest): string | undefined {
  return problems.get(request);
}
