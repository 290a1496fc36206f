import { ProviderFailure, type ProviderProfile } from '../../flows/provider.ts';

/** OpenID Connect Core, 2: at most 255 ASCII characters. An identifier that cannot be seen cannot be told from another. */
const subjectForm = /^[!-~]{1,255}$/;
/** RFC 5321, 4.5.3.1: longer than any address. */
const emailLengthMax = 320;
/** Longer than any name that is kept. */
const nameLengthMax = 1_000;
/** How far a provider's clock may be ahead; a time beyond it is none, such as one in milliseconds. */
const aheadSecondsMax = 300;

/**
 * What a provider says of an account, in the ranges that everything after it relies on. The account must be identifiable;
 * anything else that is out of range counts as not said. Nobody authenticated later than now, since such a time would stay
 * recent for as long as it lies ahead.
 *
 * @throws ProviderFailure where the account has no usable identifier
 */
export function admitProfile(profile: ProviderProfile, at: Date): ProviderProfile {
  const { issuer, subject, email, name, authTime } = profile;
  if (!URL.canParse(issuer) || !subjectForm.test(subject)) {
    throw new ProviderFailure('PROVIDER_REFUSED', 'unusable-identifier');
  }
  return {
    ...profile,
    email: email !== null && email.length <= emailLengthMax ? email : null,
    name: name?.slice(0, nameLengthMax) ?? null,
    authTime: pastSeconds(authTime, Math.floor(at.getTime() / 1_000)),
  };
}

function pastSeconds(time: number | null, now: number): number | null {
  if (time === null || !Number.isSafeInteger(time) || time < 0 || time > now + aheadSecondsMax) return null;
  return Math.min(time, now);
}
