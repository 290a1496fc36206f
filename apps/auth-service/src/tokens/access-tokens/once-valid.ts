import { setTimeout as sleep } from 'node:timers/promises';

/** The subject of a token, as it was read. */
interface ReadSubject {
  /** When reading it began. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** A revocation covers two seconds at most from when it commits. */
const waitMsMax = 2_000;
/** Each further one takes another revocation in the meantime. */
const attemptsMax = 3;

/**
 * The subject of a token, once tokens of it are valid: just after a revocation it is read again, up to two seconds later. So no
 * token is issued ahead of the time, and a second revocation in the same second covers whatever was issued after the first.
 *
 * While revocations do not stop, and when there is nothing to be read any more, it is the last one that was read: a token of it is
 * revoked already.
 */
export async function onceValid<Subject extends ReadSubject>(
  subject: Subject,
  readAgain: () => Promise<Subject | undefined>,
): Promise<Subject> {
  let read = subject;
  for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
    const { asOf, tokensFrom } = read;
    const waitMs = Math.min(tokensFrom === null ? 0 : tokensFrom.getTime() - asOf.getTime(), waitMsMax);
    if (waitMs <= 0) return read;
    await sleep(waitMs);
    const again = await readAgain();
    if (!again) return read;
    read = { ...again, asOf: new Date(Math.max(again.asOf.getTime(), asOf.getTime() + waitMs)) };
  }
  return read;
}
