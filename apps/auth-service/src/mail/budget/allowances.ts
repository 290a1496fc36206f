import type { Config } from '../../config.ts';
import type { PlannedLetter } from '../letter.ts';

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

/**
 * The allowances that a letter counts against. Each kind of letter to a recipient has its own, so that one kind never uses up
 * another; a device that has signed in has its own as well, so that strangers cannot use up the owner's.
 */
export function allowancesOf(
  { to, template, data, cause = {} }: PlannedLetter,
  figures: Config,
): Allowance[] {
  const { userId, organizationId, apart } = cause;
  const change = 'change' in data ? `-${data.change}` : '';
  const recipient = {
    name: `mail-${template}${change}`,
    counted: 'e-mails to this address',
    of: apart === undefined ? to : `${to}|${apart}`,
    max: figures.RATE_LIMIT_MAIL_PER_10_MINUTES,
    seconds: tenMinutes,
  };
  const moves = template === 'confirm-new-address' && userId !== undefined;
  return [
    recipient,
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
