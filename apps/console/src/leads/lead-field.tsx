import { isTenantryError, type api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useState, type ReactNode } from 'react';
import { useDraft } from '../design/drafts.ts';
import { InlineEdit } from '../design/inline-edit.tsx';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import { useWords } from '../design/language.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useScope, useSignedIn } from '../sessions/sessions.queries.ts';
import { LeadConflict } from './lead-conflict.tsx';
import { textKinds, type LeadText } from './lead-texts.ts';
import { useChangeLead, type ReadLead } from './lead.queries.ts';
import { leadWords } from './leads.words.ts';
import type { LeadMoves } from './moves.queries.ts';

interface LeadFieldProps {
  readonly lead: ReadLead;
  readonly field: LeadText;
  readonly isReadOnly: boolean;
  readonly moves: LeadMoves;
  readonly shown?: ReactNode;
}

/** A field of a lead: edited in place; the input is kept until it is saved. */
export function LeadField({ lead, field, isReadOnly, moves, shown }: LeadFieldProps) {
  const { lead: words } = useWords(leadWords);
  const [scope, { user }] = [useScope(), useSignedIn()];
  const [draft, write] = useDraft(`${user.id}:${scope}:lead:${lead.id}:${field}`);
  const [base, setBase] = useState<ReadLead>();
  const change = useChangeLead(lead.id, moves);
  const problem = useProblem(change.error);
  const value = field === 'email' ? shownEmail(lead.email) : (lead[field] ?? '');
  useUnsavedPart({ lostWith: 'session', isUnsaved: () => draft !== undefined && draft !== value });
  const isRace = isTenantryError(change.error) && change.error.code === 'PRECONDITION_FAILED';
  const save = (text: string): void => {
    setBase(lead);
    change.mutate({ changes: changeOf(field, text), etag: lead.etag }, { onSuccess: () => write(undefined) });
  };
  const drop = (text: string | undefined): void => {
    if (text === undefined) change.reset();
    write(text);
  };
  const wrong = problem?.fields[field];
  return (
    <div>
      <InlineEdit
        label={words.fields[field]}
        value={value}
        shown={shown}
        draft={draft}
        onDraft={drop}
        onSave={save}
        isBusy={change.isPending}
        // A row has no notes and no version yet, without which nothing is changed.
        isReadOnly={isReadOnly || lead.notes === undefined}
        error={wrong}
        kind={textKinds[field].kind}
        words={words}
      />
      {isRace && base && draft !== undefined && (
        <LeadConflict
          {...{ base, now: lead, field, draft }}
          isBusy={change.isPending}
          onKeep={() => save(draft)}
          onDrop={() => drop(undefined)}
        />
      )}
      {change.error !== null && !isRace && wrong === undefined && <Failure error={change.error} />}
    </div>
  );
}

/** An optional field that was emptied has nothing. */
function changeOf(field: LeadText, text: string): api.LeadChanges {
  return { [field]: textKinds[field].isOptional && text.trim() === '' ? null : text };
}
