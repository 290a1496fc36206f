import { startNameServer as startServer, type NameServer, type SaidOfName } from '@tenantry/test-kit';

/** A name server, and what it says of each name from now on. */
export interface Names extends Pick<NameServer, 'address' | 'asked'> {
  readonly zone: Map<string, SaidOfName>;
}

/** Starts a name server that is closed by a hook of the test file. */
export async function startNameServer(endWith: (end: () => void) => void): Promise<Names> {
  const zone = new Map<string, SaidOfName>();
  const { close, ...server } = await startServer((name) => zone.get(name));
  endWith(close);
  return { ...server, zone };
}
