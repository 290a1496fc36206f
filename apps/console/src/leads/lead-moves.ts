import type { api } from '@tenantry/client';
import type { Language } from '../design/language.ts';
import type { LeadStatus } from './lead-filters.ts';
import type { LeadWords } from './leads.words.en.ts';

/** A move that an organization may allow. */
export type FurtherMove = api.LeadSettings['furtherMoves'][number];

/** All of them; one that is missing does not compile. */
const furtherTable: Readonly<Record<FurtherMove, readonly [from: LeadStatus, to: LeadStatus]>> = {
  'new-to-lost': ['new', 'lost'],
  'qualified-to-lost': ['qualified', 'lost'],
  'lost-to-contacted': ['lost', 'contacted'],
  'won-to-qualified': ['won', 'qualified'],
};
export const furtherMoves = Object.entries(furtherTable).map(([move, [from, to]]) => ({
  move: move as FurtherMove,
  from,
  to,
}));

/** Where a lead stands, and where its organization lets it move. */
export interface LeadPlace {
  readonly from: LeadStatus;
  readonly allowed: readonly LeadStatus[];
}

/** Where a lead could move besides if its organization allowed it. */
export const allowable = ({ from, allowed }: LeadPlace): readonly LeadStatus[] =>
  furtherMoves.filter((one) => one.from === from && !allowed.includes(one.to)).map(({ to }) => to);

/** Why a lead moves where it does, and nowhere else. */
export function reasonOf(
  { moves, statuses }: Pick<LeadWords, 'moves' | 'statuses'>,
  language: Language,
  place: LeadPlace,
): string {
  const listed = (to: readonly LeadStatus[]) =>
    new Intl.ListFormat(language, { type: 'disjunction' }).format(to.map((status) => statuses[status]));
  const from = statuses[place.from];
  const now = place.allowed.length > 0 ? moves.only(from, listed(place.allowed)) : moves.none(from);
  const more = allowable(place);
  return more.length > 0 ? `${now} ${moves.more(listed(more))}` : now;
}
