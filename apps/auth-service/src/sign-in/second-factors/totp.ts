import { generateSecret, generateURI, verifySync } from 'otplib';
import { toDataURL } from 'qrcode';

/** The name that an authenticator app shows above the account. */
const issuer = 'Tenantry';
const stepSeconds = 30;
/** One step either way: clocks differ, and typing takes a while. RFC 6238, 5.2. */
const toleranceSteps = 1;

/** Makes the secret shared with an authenticator app: 160 random bits, in base32. RFC 4226, 4. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The secret as an authenticator app reads it from a QR code: SHA-1, 6 digits, 30 s. */
export function totpUri({ secret, email }: { readonly secret: string; readonly email: string }): string {
  return generateURI({ issuer, label: email, secret });
}

/** Draws a URI as a QR code: a PNG in a data URL, which an `img` shows as it is. */
export function qrCodeOf(uri: string): Promise<string> {
  return toDataURL(uri, { errorCorrectionLevel: 'M', margin: 4, scale: 6 });
}

/** A code to judge, by the server's clock. */
interface TotpAttempt {
  readonly secret: string;
  /** Six digits: other input is refused before. */
  readonly code: string;
  readonly at: Date;
  /** The last step whose code was accepted: neither it nor any before it counts again. */
  readonly afterTimeStep: number;
}

/**
 * The time step that a code is right for, if it is right and not used up.
 *
 * A caller that accepts it must move `afterTimeStep` there in the same transaction. RFC 6238, 5.2: a code works once.
 */
export function matchTimeStep({ secret, code, at, afterTimeStep }: TotpAttempt): number | undefined {
  const epoch = Math.floor(at.getTime() / 1_000);
  const latest = Math.floor(epoch / stepSeconds) + toleranceSteps;
  // Only after the clock was set back: every acceptable step is used.
  if (afterTimeStep >= latest) return undefined;

  const epochTolerance = toleranceSteps * stepSeconds;
  const result = verifySync({ secret, token: code, epoch, epochTolerance, afterTimeStep });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
