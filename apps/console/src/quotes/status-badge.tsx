import { useWords } from '../design/language.ts';
import type { QuoteStanding } from './quote-filter.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './status-badge.module.css';

/** The state of a quote: its word, and a colour of its own. */
export function StatusBadge({ status }: { readonly status: QuoteStanding }) {
  const { statuses } = useWords(quoteWords);
  return <span className={`${styles['badge']} ${styles[status]}`}>{statuses[status]}</span>;
}
