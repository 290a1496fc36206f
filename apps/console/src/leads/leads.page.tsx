import { Link } from '@tanstack/react-router';
import { EmptyState } from '../design/empty-state.tsx';
import { Icon } from '../design/icon.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { WorkPage } from '../design/page.tsx';
import { Split } from '../design/side-panel.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { Beside } from './beside.tsx';
import { isNarrowed, noFilters, type LeadFilters } from './lead-filters.ts';
import { LeadActions } from './lead-actions.tsx';
import styles from './leads.page.module.css';
import { LeadsTable } from './leads-table.tsx';
import { LeadsToolbar } from './leads-toolbar.tsx';
import { useLeadRows, useSettledFilters } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import { useLeadMoves, type LeadMoves } from './moves.queries.ts';
import { useLeadAddress, type GoToLeads } from './use-lead-address.ts';

/** The leads of the organization as a table, with one of them beside it. */
export function Page() {
  const words = useWords(leadWords);
  const { id, filters, go } = useLeadAddress('/leads');
  const moves = useLeadMoves();
  return (
    <WorkPage title={words.title} actions={<LeadActions view="/leads" {...{ id, filters, go, moves }} />}>
      <LeadsToolbar view="/leads" {...{ filters, go }} />
      <Split
        side={id !== undefined && <Beside view="/leads" {...{ id, filters, go, moves }} />}
        onClose={() => go({ id: undefined })}
      >
        <List {...{ id, filters, go, moves }} />
      </Split>
    </WorkPage>
  );
}

interface PartProps {
  readonly id: string | undefined;
  readonly filters: LeadFilters;
  readonly go: GoToLeads;
  readonly moves: LeadMoves;
}

/** The rows, or why there are none. */
function List({ id, filters, go, moves }: PartProps) {
  const words = useWords(leadWords);
  const formats = useFormats();
  const { first } = useLeadRows(filters, []);
  const settled = useSettledFilters(filters);
  const isBusy = first.isPending || first.isPlaceholderData;
  const shown = useLeadRows(settled, []).first.data;
  if (first.isError) return <Failure error={first.error} onRetry={() => void first.refetch()} />;
  if (!shown) return <Skeleton label={words.loading} lines={10} />;
  return (
    <>
      <p role="status" className={styles['total']}>
        {words.found(shown.total, formats.number(shown.total))}
      </p>
      {shown.total === 0 ? (
        <Nothing filters={settled} go={go} />
      ) : (
        <LeadsTable filters={settled} {...{ isBusy, id, go, moves }} />
      )}
    </>
  );
}

/** No row: because there is none yet, or because of what is asked for. */
function Nothing({ filters, go }: Pick<PartProps, 'filters' | 'go'>) {
  const words = useWords(leadWords);
  if (filters.isDeleted || isNarrowed(filters)) {
    const { title, text } = filters.isDeleted ? words.nothingDeleted : words.nothingFound;
    return (
      <EmptyState title={title}>
        <p>{text}</p>
        <button type="button" className={styles['clear']} onClick={() => go({ filters: noFilters })}>
          {words.filters.clear}
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={words.empty.title}>
      <p>{words.empty.text}</p>
      <Link to="/leads/new" className={styles['clear']}>
        <Icon name="plus" /> {words.create}
      </Link>
    </EmptyState>
  );
}
