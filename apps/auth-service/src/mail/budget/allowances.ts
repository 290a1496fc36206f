import type { Config } from '../../config.ts';
import type { PlannedLetter, TemplateName } from '../letter.ts';

/** How many letters may leave within a window, and which ones count together. */
export interface Allowance {
  readonly name: string;
  /** What was exceeded, for the message to a refused sender. */
  readonly counted: string;
  /** The recipient, sender or organization. */
  readonly of: string;
  readonly max: number;
  readonly seconds: number;
}

const tenMinutes = 10 * 60;
const day = 24 * 60 * 60;

/** How many letters of all kinds a recipient gets, as a multiple of those of one kind. */
const kindsAtOnce = 3;
/** Of PostgreSQL, which counts the letters. */
const largestInteger = 2 ** 31 - 1;

/** Letters that anyone can request who knows an address. */
const requested: ReadonlySet<TemplateName> = new Set([
  'verify-email',
  'reset-password',
  'sign-in-code',
  'confirm-new-address',
  'invitation',
]);

/**
 * The allowances that a letter counts against. Each kind of letter to a recipient has its own, so that one kind never uses up
 * another, and all that can be requested have one together. If the address is proven, a device that has signed in has its own
 * instead, and all of these have one together, so that strangers cannot use up the owner's; what warns of events is not summed
 * up. An address that is not proven may be a stranger's, and so may all devices of its account.
 */
export function allowancesOf(
  { to, template, data, cause = {} }: PlannedLetter,
  { isProven, figures }: { readonly isProven: boolean; readonly figures: Config },
): Allowance[] {
  const { userId, organizationId } = cause;
  const apart = isProven ? cause.apart : undefined;
  const change = 'change' in data ? `-${data.change}` : '';
  const perKind = figures.RATE_LIMIT_MAIL_PER_10_MINUTES;
  const ofAllKinds = Math.min(perKind * kindsAtOnce, largestInteger);
  const toRecipient = (name: string, device: string, max: number) => ({
    name,
    counted: 'e-mails to this address',
    of: apart === undefined ? to : `${to}|${device}`,
    max,
    seconds: tenMinutes,
  });
  const together = requested.has(template)
    ? [toRecipient('mail-requested', 'known', ofAllKinds)]
    : isProven
      ? []
      : [toRecipient('mail-notices', 'known', ofAllKinds)];
  const moves = template === 'confirm-new-address' && userId !== undefined;
  return [
    toRecipient(`mail-${template}${change}`, apart ?? '', perKind),
    ...together,
    ...daily('mail-user', userId, {
      counted: 'e-mails to other people',
      max: figures.RATE_LIMIT_MAIL_PER_USER_PER_DAY,
    }),
    ...daily('mail-organization', organizationId, {
      counted: 'e-mails sent by this organization',
      max: figures.RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY,
    }),
    ...daily('mail-email-change', moves ? userId : undefined, {
      counted: 'addresses to move to',
      max: figures.RATE_LIMIT_EMAIL_CHANGES_PER_DAY,
    }),
  ];
}

const daily = (
  name: string,
  of: string | undefined,
  limit: Pick<Allowance, 'counted' | 'max'>,
): Allowance[] => (of === undefined ? [] : [{ name, of, ...limit, seconds: day }]);
