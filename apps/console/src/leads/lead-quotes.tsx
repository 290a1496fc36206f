import { Link } from '@tanstack/react-router';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { PanelPart } from '../design/side-panel.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import styles from './lead-quotes.module.css';
import { useLeadQuotes, type ReadLead } from './lead.queries.ts';
import { leadWords } from './leads.words.ts';

/** The quotes for a lead, and the way to the next one. */
export function LeadQuotes({ lead }: { readonly lead: ReadLead }) {
  const { quotes: words } = useWords(leadWords);
  const formats = useFormats();
  const money = useMoney();
  const may = useMay();
  const quotes = useLeadQuotes(lead.id);
  const rest = (quotes.data?.total ?? 0) - (quotes.data?.rows.length ?? 0);
  const create = may('createQuote') && (
    <Link to="/quotes/new" search={{ customer: lead.id }}>
      {words.create}
    </Link>
  );
  return (
    <PanelPart title={words.title} action={create}>
      {quotes.isPending && <Skeleton label={words.title} lines={2} />}
      {quotes.isError && <Failure error={quotes.error} onRetry={() => void quotes.refetch()} />}
      {quotes.data?.total === 0 && <p className={styles['quiet']}>{words.empty}</p>}
      <ul className={styles['quotes']}>
        {quotes.data?.rows.map(({ id, number, title, status, totalAmount, currency }) => (
          <li key={id} className={styles['quote']}>
            <Link to={`/quotes/${id}`}>
              {number} <bdi>{title === '' ? words.untitled : title}</bdi>
            </Link>
            <span className={styles['quiet']}>
              {`${words.statuses[status]} · ${money(totalAmount, currency)}`}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={styles['quiet']}>{words.more(formats.number(rest))}</p>}
    </PanelPart>
  );
}
