import { Link, useElementScrollRestoration, useRouter } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useFormats, useWords } from '../design/language.ts';
import { Cell, rowLink, TableHead, TableRow } from '../design/table.tsx';
import { useRowWindow } from '../design/use-row-window.ts';
import { pagesOf, type RowWindow } from '../design/window-of-rows.ts';
import { Failure } from '../failures/failure.tsx';
import { addressOf, type LeadFilters, type LeadOrder } from './lead-filters.ts';
import { StatusName } from './lead-status.tsx';
import styles from './leads-table.module.css';
import { rowsOfPage, useLeadRows, type LeadRows, type ListedLead } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import type { LeadMoves } from './moves.queries.ts';
import { hrefOf, type GoToLeads } from './use-lead-address.ts';

/** Of every row: two lines. */
const rowRem = 2.75;
const scrollerId = 'leads';

interface TableProps {
  /** Those whose rows are there. */
  readonly filters: LeadFilters;
  /** Whether those that are asked for have not come yet. */
  readonly isBusy: boolean;
  readonly id: string | undefined;
  readonly go: GoToLeads;
  readonly moves: LeadMoves;
}

/** Leads one below the other, of any number: rows are asked for where scrolling rests. */
export function LeadsTable({ filters, isBusy, id, go, moves }: TableProps) {
  const words = useWords(leadWords);
  const scroller = useRef<HTMLDivElement>(null);
  const [total, setTotal] = useState(0);
  const { drawn, resting, rowHeight, reveal } = useRowWindow({ scroller, count: total, rowRem });
  const { further, rows } = useLeadRows(filters, pagesOf(resting, rowsOfPage));
  if (rows.total !== total) setTotal(rows.total);
  useScrollBack(scroller, total > 0);
  const [focused, setFocused] = useState<number>();
  const indexes = indexesOf(drawn, focused, total);
  const [active, setActive] = useActive({ id, rows, indexes, reveal, scroller });
  const walk = (event: KeyboardEvent) => {
    const next = stepOf(event.key, active, total);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    const lead = rows.at(next);
    if (id !== undefined && lead) go({ id: lead.id }, { replace: true });
  };
  const failed = further.find(({ isError }) => isError);
  return (
    <div className={styles['frame']} data-busy={isBusy || undefined}>
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Keys lead from link to link. */}
      <div
        ref={scroller}
        className={styles['scroller']}
        data-scroll-restoration-id={scrollerId}
        role="table"
        aria-label={words.title}
        aria-rowcount={total + 1}
        aria-busy={isBusy}
        onKeyDown={walk}
      >
        <TableHead<LeadOrder>
          columns={columns.map((column) => ({ ...column, title: words.columns[column.name] }))}
          layout={styles}
          rowIndex={1}
          sort={filters.sort}
          onSort={(sort) => go({ filters: { ...filters, sort } })}
        />
        <div role="rowgroup" className={styles['body']} style={{ blockSize: `${total * rowHeight}px` }}>
          {indexes.map((index) => {
            const lead = rows.at(index);
            return (
              <TableRow
                key={index}
                aria-rowindex={index + 2}
                className={styles['row']}
                data-open={(lead !== undefined && lead.id === id) || undefined}
                style={{ transform: `translateY(${index * rowHeight}px)`, blockSize: `${rowHeight}px` }}
              >
                {lead ? (
                  <Row
                    {...{ lead, index, filters }}
                    isActive={index === active}
                    status={moves.pending.get(lead.id)?.to ?? lead.status}
                    onFocus={() => {
                      setFocused(index);
                      setActive(index);
                    }}
                    onBlur={() => setFocused(undefined)}
                  />
                ) : (
                  <span role="cell" className={styles['blank']} aria-label={words.loading} />
                )}
              </TableRow>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const columns = [
  { name: 'name', orders: ['name', '-name'] },
  { name: 'status', orders: ['status', '-status'] },
  { name: 'source', orders: ['source', '-source'] },
  { name: 'phone', orders: ['phone', '-phone'] },
  { name: 'created', orders: ['-createdAt', 'createdAt'], isAtEnd: true },
] as const;

interface RowProps {
  readonly lead: ListedLead;
  readonly index: number;
  readonly filters: LeadFilters;
  /** Whether it is the one that Tab leads to. */
  readonly isActive: boolean;
  readonly status: ListedLead['status'];
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

function Row({ lead, index, filters, isActive, status, onFocus, onBlur }: RowProps) {
  const formats = useFormats();
  return (
    <>
      <Cell className={styles['name']}>
        <Link
          to={hrefOf({ view: '/leads', id: lead.id })}
          search={addressOf(filters)}
          resetScroll={false}
          className={`${rowLink} ${styles['link']}`}
          tabIndex={isActive ? 0 : -1}
          data-row={index}
          data-keeps-focus
          onFocus={onFocus}
          onBlur={({ currentTarget }) => {
            // It keeps the focus while another window has it.
            if (currentTarget.ownerDocument.activeElement !== currentTarget) onBlur();
          }}
        >
          <bdi>{lead.name}</bdi>
        </Link>
        <bdi className={styles['quiet']}>{shownEmail(lead.email)}</bdi>
      </Cell>
      <Cell className={styles['status']}>
        <StatusName status={status} />
      </Cell>
      <Cell className={styles['source']} isQuiet>
        <bdi>{lead.source}</bdi>
      </Cell>
      <Cell className={styles['phone']} isQuiet>
        <bdi>{lead.phone}</bdi>
      </Cell>
      <Cell className={styles['created']} isQuiet isAtEnd>
        {formats.shortDay(lead.createdAt)}
      </Cell>
    </>
  );
}

interface ActiveOptions {
  readonly id: string | undefined;
  readonly rows: LeadRows;
  /** Of the rows that are drawn, in order. */
  readonly indexes: readonly number[];
  readonly reveal: (index: number) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** The row that keys start from: the one that had the focus, or is open, or is the first in sight. */
function useActive({ id, rows, indexes, reveal, scroller }: ActiveOptions) {
  const [chosen, setChosen] = useState<number>();
  const [wanted, setWanted] = useState<number>();
  // The row may have to be scrolled to, and asked for, first.
  const isThere = wanted !== undefined && indexes.includes(wanted) && rows.at(wanted) !== undefined;
  useEffect(() => {
    if (!isThere) return;
    scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted}"]`)?.focus({ preventScroll: true });
    setWanted(undefined);
  }, [isThere, wanted, scroller]);
  const open = indexes.find((index) => id !== undefined && rows.at(index)?.id === id);
  const active = chosen !== undefined && indexes.includes(chosen) ? chosen : (open ?? indexes[0] ?? 0);
  const go = (index: number) => {
    if (index === chosen) return;
    setChosen(index);
    reveal(index);
    setWanted(index);
  };
  return [active, go] as const;
}

/** The rows that are drawn: a window, and the one with the focus wherever it is, since taking it out would lose the focus. */
function indexesOf({ first, end }: RowWindow, focused: number | undefined, total: number): number[] {
  const inWindow = Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n);
  if (focused === undefined || focused >= total || inWindow.includes(focused)) return inWindow;
  return focused < first ? [focused, ...inWindow] : [...inWindow, focused];
}

/** Where a key leads from a row; undefined for other keys. */
function stepOf(key: string, from: number, total: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + 10,
    PageUp: from - 10,
    Home: 0,
    End: total - 1,
  };
  const to = steps[key];
  return to === undefined || total === 0 ? undefined : Math.min(Math.max(to, 0), total - 1);
}

/**
 * Scrolls to where somebody was, as soon as there are rows. The router forgets at the end of a navigation what was scrolled
 * during it; telling it once more keeps the place of somebody who does not wait for that end.
 */
function useScrollBack(scroller: RefObject<HTMLDivElement | null>, hasRows: boolean) {
  const router = useRouter();
  useEffect(
    () => router.subscribe('onRendered', () => scroller.current?.dispatchEvent(new Event('scroll'))),
    [router, scroller],
  );
  const place = useElementScrollRestoration({ id: scrollerId });
  const isBack = useRef(false);
  useEffect(() => {
    if (!hasRows || isBack.current) return;
    isBack.current = true;
    if (place && scroller.current) scroller.current.scrollTop = place.scrollY;
  }, [hasRows, place, scroller]);
}
