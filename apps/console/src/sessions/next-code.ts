/** An authenticator shows another code at every half minute (RFC 6238). */
const stepSeconds = 30;

/** How long until the next code, at a moment. */
export const secondsToNextCode = (nowMs: number): number =>
  stepSeconds - (Math.floor(nowMs / 1_000) % stepSeconds);
