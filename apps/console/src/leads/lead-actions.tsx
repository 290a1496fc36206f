import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../design/language.ts';
import { Menu, useCloseMenu, useMenuLink } from '../design/menu.tsx';
import { Failure } from '../failures/failure.tsx';
import { useMay, useReload } from '../sessions/sessions.queries.ts';
import { exportHref } from './export-href.ts';
import type { LeadFilters } from './lead-filters.ts';
import styles from './lead-actions.module.css';
import { useListQuery } from './leads.queries.ts';
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
      <Further {...{ filters, moves }} />
      {may('createLead') && (
        <Button kind="primary" onClick={() => go({ id: 'new' })}>
          <Icon name="plus" />
          {words.create}
        </Button>
      )}
    </div>
  );
}

type FurtherProps = Pick<ActionsProps, 'filters' | 'moves'>;

/** What is done less often. */
function Further({ filters, moves }: FurtherProps) {
  const words = useWords(leadWords);
  const may = useMay();
  const [failure, setFailure] = useState<unknown>();
  if (filters.isDeleted && !may('importLeads')) return null;
  return (
    <Menu
      label={words.further}
      side="end"
      button={<Icon name="more" />}
      head={failure !== undefined && <Failure error={failure} />}
    >
      {may('importLeads') && <ImportLink />}
      {!filters.isDeleted && <ExportLink {...{ filters, moves }} onFailure={setFailure} />}
    </Menu>
  );
}

function ImportLink() {
  const words = useWords(leadWords);
  return (
    <Link to="/leads/import" {...useMenuLink()}>
      {words.import}
    </Link>
  );
}

interface ExportLinkProps extends FurtherProps {
  readonly onFailure: (failure: unknown) => void;
}

/** A download by the browser. A session that has expired is renewed first: a link cannot do that. */
function ExportLink({ filters, moves, onFailure }: ExportLinkProps) {
  const words = useWords(leadWords);
  const query = useListQuery(filters);
  const reload = useReload();
  const close = useCloseMenu();
  return (
    <a
      {...useMenuLink()}
      href={exportHref(query)}
      download="leads.csv"
      onClick={(event) => {
        const link = event.currentTarget;
        // The press that follows once the session is fresh.
        if (!event.nativeEvent.isTrusted) return;
        event.preventDefault();
        onFailure(undefined);
        // The file has what waits under Undo.
        Promise.all([reload(), moves.sendAll()]).then(() => {
          link.click();
          close();
        }, onFailure);
      }}
    >
      {words.export}
    </a>
  );
}
