import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import styles from './lead-conflict.module.css';
import { differing, type EditedField } from './lead-versions.ts';
import type { ReadLead } from './lead.queries.ts';
import { leadWords } from './leads.words.ts';

interface LeadConflictProps {
  /** What was read, and what is there now. */
  readonly base: ReadLead;
  readonly now: ReadLead;
  readonly field: EditedField;
  /** What was typed. */
  readonly draft: string;
  readonly isBusy: boolean;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
}

/** Two people have changed one lead: both versions, and the choice between them. */
export function LeadConflict({ base, now, field, draft, isBusy, onKeep, onDrop }: LeadConflictProps) {
  const words = useWords(leadWords);
  const { conflict, lead } = words;
  const shown = (name: string, text: string): string =>
    name === 'status' ? words.statuses[now.status] : text === '' ? lead.none : text;
  return (
    <Notice kind="problem">
      <p>{conflict.title}</p>
      <table className={styles['versions']}>
        <thead>
          <tr>
            <th scope="col">{conflict.column.field}</th>
            <th scope="col">{conflict.column.now}</th>
            <th scope="col">{conflict.column.yours}</th>
          </tr>
        </thead>
        <tbody>
          {differing(base, now, field).map((name) => (
            <tr key={name}>
              <th scope="row">{lead.fields[name]}</th>
              <td>{shown(name, now[name] ?? '')}</td>
              <td>{name === field ? shown(name, draft) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Row>
        <Button kind="primary" isBusy={isBusy} onClick={onKeep}>
          {conflict.keep}
        </Button>
        <Button onClick={onDrop}>{conflict.drop}</Button>
      </Row>
    </Notice>
  );
}
