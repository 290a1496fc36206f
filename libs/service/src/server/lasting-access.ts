import type { Readable } from 'node:stream';
import { AccessError } from '@tenantry/jwt-verify';
import { recheck } from '@tenantry/jwt-verify/fastify';
import type { FastifyRequest } from 'fastify';

/** How often a download asks whether it may go on: it is local, and revocations arrive within a second. */
const everyMs = 1_000;

/** The pieces of an upload, for as long as its sender has access. */
export async function* whileAllowed(
  request: FastifyRequest,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    await recheck(request);
    yield piece;
  }
  await recheck(request);
}

/**
 * Breaks a download off when what its reader was let in by has ended, whether or not they are reading. That the token expires
 * is no reason: an honest download may take longer than the rest of its token, and would always be cut where it does.
 */
export async function endWithAccess(request: FastifyRequest, download: Readable): Promise<Readable> {
  const ask = async (): Promise<void> => {
    try {
      await recheck(request);
    } catch (error) {
      clearInterval(timer);
      if (!(error instanceof AccessError && error.reason === 'TOKEN_EXPIRED')) throw error;
    }
  };
  const timer = setInterval(() => {
    ask().catch((error: unknown) => download.destroy(error as Error));
  }, everyMs).unref();
  download.once('close', () => clearInterval(timer));
  // It may have waited for its turn.
  await ask().catch((error: unknown) => {
    download.destroy();
    throw error;
  });
  return download;
}
