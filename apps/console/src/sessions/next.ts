/**
 * Where somebody continues after signing in: an address of this console, and nothing else that a link may have put there.
 *
 * @param next what the address bar says
 */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/';
  const origin = 'https://console.invalid';
  const url = URL.parse(next, origin);
  // Dot segments may leave two slashes in front, behind which stands a host.
  const isHere = url?.origin === origin && !url.pathname.startsWith('//');
  return isHere ? url.pathname + url.search + url.hash : '/';
}
