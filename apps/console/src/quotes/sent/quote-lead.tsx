import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { useDoneToast } from '../../design/use-done-toast.ts';
import { Failure } from '../../failures/failure.tsx';
import { reasonOf } from '../../leads/lead-moves.ts';
import { leadWords } from '../../leads/leads.words.ts';
import { useMay } from '../../sessions/sessions.queries.ts';
import styles from './sent.module.css';
import { useAcceptedLead, useWinLead } from './sent.queries.ts';
import { sentWords } from './sent.words.ts';

/** How long after an acceptance its lead may be about to move by itself. */
const movingMs = 60_000;

/** The lead of an accepted quote, if its customer is one: where it stands, and the move to Won if it has not been made. */
export function QuoteLead({ quote }: { readonly quote: api.Quote }) {
  const may = useMay();
  if (quote.decision?.decision !== 'accepted' || !may('getLead')) return null;
  return <AcceptedLead key={quote.id} id={quote.customerId} decidedAt={quote.decision.decidedAt} />;
}

interface AcceptedLeadProps {
  readonly id: string;
  readonly decidedAt: string;
}

function AcceptedLead({ id, decidedAt }: AcceptedLeadProps) {
  const { lead: words } = useWords(sentWords);
  const allWords = useWords(leadWords);
  const language = useLanguage();
  const may = useMay();
  const [isNew] = useState(() => Math.abs(Date.now() - Date.parse(decidedAt)) < movingMs);
  const { lead, mayBeMoving } = useAcceptedLead(id, isNew);
  const win = useWinLead(id);
  useDoneToast(win, words.done);
  if (!lead) return null;
  const place = { from: lead.status, allowed: lead.allowedTransitions };
  const canWin = place.allowed.includes('won');
  return (
    <section className={styles['panel']} aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className={styles['lead']}>
        <Link to="/leads/{-$id}" params={{ id }}>
          <bdi>{lead.name}</bdi>
        </Link>
        <span>{allWords.statuses[lead.status]}</span>
      </p>
      {win.error !== null && <Failure error={win.error} />}
      {canWin && !mayBeMoving && may('patchLead') && (
        <Button isBusy={win.isPending} onClick={() => win.mutate(undefined)}>
          {words.win}
        </Button>
      )}
      {!canWin && lead.status !== 'won' && (
        <p className={styles['quiet']}>{reasonOf(allWords, language, place)}</p>
      )}
    </section>
  );
}
