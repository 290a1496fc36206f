import { useState } from 'react';
import { ActionLink } from '../design/action-link.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../design/language.ts';
import { Failure } from '../failures/failure.tsx';
import { useReload } from '../sessions/sessions.queries.ts';
import { exportHref } from './export-href.ts';
import type { LeadFilters } from './lead-filters.ts';
import styles from './lead-actions.module.css';
import { useListQuery, useMay } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import type { LeadMoves } from './moves.queries.ts';
import { LeadViews } from './leads-toolbar.tsx';
import type { GoToLeads, LeadView } from './use-lead-address.ts';

interface ActionsProps {
  readonly view: LeadView;
  readonly id: string | undefined;
  readonly filters: LeadFilters;
  readonly go: GoToLeads;
  readonly moves: LeadMoves;
}

/** The ways to look at leads, and what can be done with them as a whole. */
export function LeadActions({ view, id, filters, go, moves }: ActionsProps) {
  const words = useWords(leadWords);
  const may = useMay();
  return (
    <div className={styles['actions']}>
      <LeadViews {...{ view, id, filters }} />
      {!filters.isDeleted && <Export {...{ filters, moves }} />}
      {may('importLeads') && <ActionLink to="/leads/import">{words.import}</ActionLink>}
      {may('createLead') && (
        <Button kind="primary" onClick={() => go({ id: 'new' })}>
          <Icon name="plus" />
          {words.create}
        </Button>
      )}
    </div>
  );
}

/** A download by the browser. A session that has expired is renewed first: a link cannot do that. */
function Export({ filters, moves }: Pick<ActionsProps, 'filters' | 'moves'>) {
  const words = useWords(leadWords);
  const query = useListQuery(filters);
  const reload = useReload();
  const [failure, setFailure] = useState<unknown>();
  return (
    <>
      {failure !== undefined && <Failure error={failure} />}
      <ButtonLink
        href={exportHref(query)}
        download="leads.csv"
        onClick={(event) => {
          const link = event.currentTarget;
          // The press that follows once the session is fresh.
          if (!event.nativeEvent.isTrusted) return;
          event.preventDefault();
          setFailure(undefined);
          // The file has what waits under Undo.
          Promise.all([reload(), moves.sendAll()]).then(() => link.click(), setFailure);
        }}
      >
        {words.export}
      </ButtonLink>
    </>
  );
}
