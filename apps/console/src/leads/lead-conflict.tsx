import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Versions } from '../design/versions.tsx';
import type { LeadText } from './lead-texts.ts';
import { differing } from './lead-versions.ts';
import type { ReadLead } from './lead.queries.ts';
import { leadWords } from './leads.words.ts';

interface LeadConflictProps {
  /** What was read, and what is there now. */
  readonly base: ReadLead;
  readonly now: ReadLead;
  readonly field: LeadText;
  /** What was typed. */
  readonly draft: string;
  readonly isBusy: boolean;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
}

/** A conflict of two changes of a lead: both versions, and the choice between them. */
export function LeadConflict({ base, now, field, draft, isBusy, onKeep, onDrop }: LeadConflictProps) {
  const words = useWords(leadWords);
  const { conflict, lead } = words;
  const shown = (name: string, text: string): string =>
    name === 'status' ? words.statuses[now.status] : text === '' ? lead.none : text;
  return (
    <Notice kind="problem">
      <p>{conflict.title}</p>
      <Versions
        columns={conflict.column}
        rows={differing(base, now, field).map((name) => ({
          field: lead.fields[name],
          now: shown(name, now[name] ?? ''),
          yours: name === field ? shown(name, draft) : '',
        }))}
      />
      <Row>
        <Button kind="primary" isBusy={isBusy} onClick={onKeep}>
          {conflict.keep}
        </Button>
        <Button onClick={onDrop}>{conflict.drop}</Button>
      </Row>
    </Notice>
  );
}
