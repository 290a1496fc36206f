import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { trails, type ActivityFilter, type Trail } from './activity.queries.ts';
import { endOfDay, startOfDay } from '../design/day-start.ts';

/** The filter, as in the URL. */
export interface Chosen {
  readonly person: string;
  readonly kind: Trail | '';
  /** The id of what it happened to. */
  readonly about: string;
  /** Days, as `2026-11-24`; empty where none is chosen. */
  readonly from: string;
  readonly to: string;
}

const nothing: Chosen = { person: '', kind: '', about: '', from: '', to: '' };

/** The filter in the address: Back and a copied link find it again. */
export function useActivityFilter() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { user } = useSignedIn();
  const timeZone = user.timeZone ?? undefined;
  const [person, about] = [idIn(search, 'person'), idIn(search, 'about')];
  const [kind, from, to] = [kindIn(search), dayIn(search, 'from'), dayIn(search, 'to')];
  const filter = useMemo(
    (): ActivityFilter => ({
      actorUserId: person === '' ? undefined : person,
      targetId: about === '' ? undefined : about,
      from: from === '' ? undefined : startOfDay(from, timeZone).toISOString(),
      to: to === '' ? undefined : endOfDay(to, timeZone).toISOString(),
    }),
    [person, about, from, to, timeZone],
  );
  const chosen: Chosen = { person, kind, about, from, to };
  const choose = (change: Partial<Chosen>) => {
    const kept = Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== '');
    void navigate({ to: '/activity', search: Object.fromEntries(kept), replace: true });
  };
  const isFiltered = [person, kind, about, from, to].some((value) => value !== '');
  return { chosen, choose, clear: () => choose(nothing), filter, isFiltered };
}

type Search = Readonly<Record<string, unknown>>;

/** Only valid values, since anyone can edit a URL. */
const idIn = (search: Search, name: 'person' | 'about'): string => {
  const id = search[name];
  return typeof id === 'string' && /^[0-9a-f-]{36}$/i.test(id) ? id : '';
};
const kindIn = ({ kind }: Search): Trail | '' => trails.find((trail) => trail === kind) ?? '';
const dayIn = (search: Search, name: 'from' | 'to'): string => {
  const day = search[name];
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
    ? day
    : '';
};
