import { isTenantryError } from '@tenantry/client';
import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row, Stack } from '../design/page.tsx';
import { SidePanel } from '../design/side-panel.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import { LeadField } from './lead-field.tsx';
import { addressOf, type LeadFilters } from './lead-filters.ts';
import { LeadHistory } from './lead-history.tsx';
import styles from './lead-panel.module.css';
import { allowable, reasonOf } from './lead-moves.ts';
import { LeadQuotes } from './lead-quotes.tsx';
import { StatusName } from './lead-status.tsx';
import { useDeleteLead, useDuplicate, useLead, useRestoreLead, type ReadLead } from './lead.queries.ts';
import { leadTexts, textKinds, type LeadText } from './lead-texts.ts';
import { useFoundLead } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import { mailtoHref } from './mailto.ts';
import type { LeadMoves } from './moves.queries.ts';
import { hrefOf, type GoToLeads, type LeadView } from './use-lead-address.ts';

interface LeadPanelProps {
  readonly view: LeadView;
  readonly id: string;
  readonly filters: LeadFilters;
  readonly go: GoToLeads;
  readonly moves: LeadMoves;
}

/** A lead beside the list: drawn from its row at once, and completed when all of it is there. */
export function LeadPanel({ view, id, filters, go, moves }: LeadPanelProps) {
  const { lead: words } = useWords(leadWords);
  const { row, neighbour } = useFoundLead(filters, id);
  const listed = row();
  const isDeleted = listed?.deletedAt !== undefined;
  const read = useLead(id, listed);
  const close = () => go({ id: undefined });
  const step = (by: -1 | 1) => {
    const next = neighbour(by);
    if (next) go({ id: next.id }, { replace: true });
  };
  const isGone = isTenantryError(read.error) && read.error.status === 404 && !isDeleted;
  const lead = read.data ?? undefined;
  return (
    <SidePanel
      title={lead?.name ?? words.gone}
      about={id}
      actions={
        <>
          {view === '/leads' && (
            <>
              <IconButton icon="up" label={words.previous} onClick={() => step(-1)} />
              <IconButton icon="down" label={words.next} onClick={() => step(1)} />
            </>
          )}
          <IconButton icon="close" label={words.close} onClick={close} />
        </>
      }
    >
      {isGone && <p>{words.gone}</p>}
      {read.isPending && <Skeleton label={words.gone} lines={6} />}
      {read.isError && !isGone && !isDeleted && (
        <Failure error={read.error} onRetry={() => void read.refetch()} />
      )}
      {lead && !isGone && (
        <Contents key={id} {...{ lead, isDeleted, view, filters, moves }} onDeleted={close} />
      )}
    </SidePanel>
  );
}

interface ContentsProps extends Pick<LeadPanelProps, 'view' | 'filters' | 'moves'> {
  readonly lead: ReadLead;
  readonly isDeleted: boolean;
  readonly onDeleted: () => void;
}

function Contents({ lead, isDeleted, view, filters, moves, onDeleted }: ContentsProps) {
  const { lead: words } = useWords(leadWords);
  const formats = useFormats();
  const may = useMay();
  const isReadOnly = isDeleted || !may('patchLead');
  return (
    <Stack>
      {isDeleted && <Deleted lead={lead} onRestored={onDeleted} />}
      {!isDeleted && <Steps lead={lead} moves={moves} />}
      <div>
        {leadTexts.map((field) => (
          <LeadField
            key={field}
            {...{ lead, field, isReadOnly, moves }}
            shown={shownText(field, lead[field] ?? '')}
          />
        ))}
      </div>
      <Duplicate id={lead.id} view={view} filters={filters} />
      {!isDeleted && <LeadQuotes lead={lead} />}
      {!isDeleted && <LeadHistory id={lead.id} />}
      <div className={styles['foot']}>
        <p className={styles['times']}>
          {words.created(formats.moment(lead.createdAt))}
          {lead.updatedAt !== lead.createdAt && ` · ${words.changed(formats.moment(lead.updatedAt))}`}
        </p>
        {!isDeleted && may('deleteLead') && <Delete {...{ lead, moves, onDeleted }} />}
      </div>
    </Stack>
  );
}

/** A text of a lead as it is read; addresses and numbers can be used. */
function shownText(field: LeadText, text: string) {
  const { kind } = textKinds[field];
  if (kind === 'email') return <a href={mailtoHref(text)}>{shownEmail(text)}</a>;
  if (kind === 'tel') return <a href={`tel:${text.replaceAll(/[^\d+]/g, '')}`}>{text}</a>;
  return <bdi>{text}</bdi>;
}

/** Where a lead stands, and where it can go from there. */
function Steps({ lead, moves }: { readonly lead: ReadLead; readonly moves: LeadMoves }) {
  const words = useWords(leadWords);
  const may = useMay();
  const pending = moves.pending.get(lead.id);
  const language = useLanguage();
  const canMove = may('patchLead') && pending === undefined;
  const place = { from: lead.status, allowed: lead.allowedTransitions };
  return (
    <div className={styles['steps']}>
      <StatusName status={pending?.to ?? lead.status} />
      {canMove && lead.allowedTransitions.length > 0 && (
        <Row>
          {lead.allowedTransitions.map((status) => (
            <Button key={status} onClick={() => moves.move(lead, status)}>
              <span className={styles['to']}>{words.lead.move}</span> {words.statuses[status]}
            </Button>
          ))}
        </Row>
      )}
      {canMove && (
        <p className={styles['reason']}>
          {reasonOf(words, language, place)}{' '}
          {allowable(place).length > 0 && may('updateLeadSettings') && (
            <Link to="/organization/leads">{words.moves.open}</Link>
          )}
        </p>
      )}
    </div>
  );
}

function Deleted({ lead, onRestored }: { readonly lead: ReadLead; readonly onRestored: () => void }) {
  const { lead: words } = useWords(leadWords);
  const restore = useRestoreLead();
  const toasts = useToasts();
  const may = useMay();
  const begin = () =>
    restore.mutate(lead.id, {
      onSuccess: () => {
        toasts.show({ text: words.restored(lead.name) });
        onRestored();
      },
    });
  return (
    <Notice kind="news">
      <p>{words.isDeleted}</p>
      {restore.error !== null && <Failure error={restore.error} />}
      {may('restoreLead') && (
        <Row>
          <Button isBusy={restore.isPending} onClick={begin}>
            {words.restore}
          </Button>
        </Row>
      )}
    </Notice>
  );
}

function Delete({ lead, moves, onDeleted }: Pick<ContentsProps, 'lead' | 'moves' | 'onDeleted'>) {
  const { lead: words } = useWords(leadWords);
  const remove = useDeleteLead(moves);
  const restore = useRestoreLead();
  const toasts = useToasts();
  const { id, name, etag } = lead;
  const begin = () =>
    remove.mutate(
      { id, etag },
      {
        onSuccess: () => {
          toasts.show({ text: words.deleted(name), undo: () => restore.mutate(id) });
          onDeleted();
        },
      },
    );
  return (
    <>
      {remove.error !== null && <Failure error={remove.error} />}
      <Button kind="danger" isBusy={remove.isPending} onClick={begin}>
        {words.delete}
      </Button>
    </>
  );
}

function Duplicate({ id, view, filters }: Pick<LeadPanelProps, 'id' | 'view' | 'filters'>) {
  const { lead: words } = useWords(leadWords);
  const other = useDuplicate(id);
  if (!other) return null;
  return (
    <Notice kind="news">
      <p>
        {words.duplicate}{' '}
        <Link to={hrefOf({ view, id: other.id })} search={addressOf(filters)} resetScroll={false}>
          <bdi>{other.name}</bdi>
        </Link>
      </p>
    </Notice>
  );
}
