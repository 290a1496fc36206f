import type { api } from '@tenantry/client';
import type { Waiting } from './home.queries.ts';

type Quote = api.QuoteListItem;

interface Found {
  /** Those that end within a week, soonest first. */
  readonly ending: Waiting<Quote> | undefined;
  /** Those without an answer, longest first. */
  readonly unanswered: Waiting<Quote> | undefined;
  /** Those of this week, latest first. */
  readonly accepted: readonly Quote[] | undefined;
}

const shownRows = 5;

/** Quotes by what is to be done with them; each is in the first group that it belongs to. */
export function groupsOf({ ending, unanswered, accepted = [] }: Found) {
  const soon = new Set(ending?.rows.map(({ id }) => id));
  const others = unanswered?.rows.filter(({ id }) => !soon.has(id)) ?? [];
  const opened = others.filter(({ openedAt }) => openedAt !== null && openedAt !== undefined);
  const silent = others.filter((quote) => !opened.includes(quote));
  // Those that were not read are the ones sent last.
  const unread = unanswered ? unanswered.total - unanswered.rows.length : 0;
  const group = <Name extends string>(name: Name, rows: readonly Quote[], total = rows.length) => ({
    ...{ name, total, rows: rows.slice(0, shownRows) },
  });
  return {
    toDo: [
      group('ending', ending?.rows ?? [], ending?.total),
      group('opened', opened),
      group('unanswered', silent, silent.length + unread),
    ],
    won: group('accepted', accepted),
  } as const;
}
