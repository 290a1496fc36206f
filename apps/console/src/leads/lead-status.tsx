import { useWords } from '../design/language.ts';
import type { LeadStatus } from './lead-filters.ts';
import styles from './lead-status.module.css';
import { leadWords } from './leads.words.ts';

/** Where a lead stands: a word, and a dot whose colour says the same. */
export function StatusName({ status }: { readonly status: LeadStatus }) {
  const { statuses } = useWords(leadWords);
  return <span className={`${styles['status']} ${styles[status]}`}>{statuses[status]}</span>;
}
