import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import styles from './board.module.css';
import { addressOf, type LeadFilters, type LeadStatus } from './lead-filters.ts';
import { allowable } from './lead-moves.ts';
import { StatusName } from './lead-status.tsx';
import { useLeadColumn, type ListedLead } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import type { LeadMoves } from './moves.queries.ts';
import type { CardDrag, Held } from './use-card-drag.ts';
import { hrefOf } from './use-lead-address.ts';

interface ColumnProps {
  readonly status: LeadStatus;
  readonly filters: LeadFilters;
  readonly moves: LeadMoves;
  readonly drag: CardDrag;
  readonly canMove: boolean;
}

/** The leads of one state. */
export function BoardColumn({ status, filters, moves, drag, canMove }: ColumnProps) {
  const { board: words, statuses } = useWords(leadWords);
  const formats = useFormats();
  const column = useLeadColumn(filters, status);
  const leads = column.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const arriving = [...moves.pending.values()].filter(({ to }) => to === status);
  const staying = leads.filter(({ id }) => !moves.pending.has(id));
  const { held, accepts } = drag;
  return (
    <section
      className={styles['column']}
      data-column={status}
      data-accepts={(held && accepts(status)) || undefined}
      data-refuses={(held && !accepts(status)) || undefined}
      data-over={(held?.over === status && accepts(status)) || undefined}
      aria-label={statuses[status]}
    >
      <h2 className={styles['title']}>
        <StatusName status={status} />
        <span className={styles['count']}>
          {column.data && formats.number(column.data.pages[0]?.total ?? 0)}
        </span>
      </h2>
      {held && !accepts(status) && <Refusal status={status} held={held} />}
      {column.isPending && <Skeleton label={statuses[status]} lines={3} />}
      {column.isError && <Failure error={column.error} onRetry={() => void column.refetch()} />}
      {(column.isPending && arriving.length === 0) || (
        <ul className={styles['cards']}>
          {arriving.map(({ lead }) => (
            <li key={lead.id} className={styles['card']} data-card={lead.id} tabIndex={-1} data-arriving>
              <bdi className={styles['name']}>{lead.name}</bdi>
              <span className={styles['email']}>{words.moving}</span>
            </li>
          ))}
          {staying.map((lead) => (
            <Card key={lead.id} {...{ lead, filters, drag, canMove }} />
          ))}
        </ul>
      )}
      {column.isSuccess && staying.length + arriving.length === 0 && (
        <p className={styles['empty']}>{words.empty}</p>
      )}
      {column.hasNextPage && (
        <Button isBusy={column.isFetchingNextPage} onClick={() => void column.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </section>
  );
}

/** Why the column does not take the card. */
function Refusal({ status, held }: { readonly status: LeadStatus; readonly held: Held }) {
  const { moves: words, statuses } = useWords(leadWords);
  const from = statuses[held.from];
  return (
    <p className={styles['refusal']}>
      {allowable(held).includes(status) ? words.refusesYet(from) : words.refuses(from)}
    </p>
  );
}

interface CardProps extends Pick<ColumnProps, 'filters' | 'drag' | 'canMove'> {
  readonly lead: ListedLead;
}

function Card({ lead, filters, drag, canMove }: CardProps) {
  const { board: words } = useWords(leadWords);
  const isMovable = canMove && (lead.allowedTransitions ?? []).length > 0;
  return (
    <li
      className={styles['card']}
      data-card={lead.id}
      data-held={drag.held?.id === lead.id || undefined}
      data-movable={isMovable || undefined}
      {...(isMovable && drag.pointer(lead))}
    >
      <Link
        to={hrefOf({ view: '/leads/board', id: lead.id })}
        search={addressOf(filters)}
        resetScroll={false}
        className={styles['name']}
        draggable={false}
      >
        <bdi>{lead.name}</bdi>
      </Link>
      <bdi className={styles['email']}>{shownEmail(lead.email)}</bdi>
      {lead.source !== null && <bdi className={styles['source']}>{lead.source}</bdi>}
      {isMovable && (
        <button
          type="button"
          className={styles['handle']}
          aria-label={words.hold(lead.name)}
          aria-pressed={drag.held?.id === lead.id}
          data-handle
          {...drag.keys(lead)}
        >
          <Icon name="grip" />
        </button>
      )}
    </li>
  );
}
