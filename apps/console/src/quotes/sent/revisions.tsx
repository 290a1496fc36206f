import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { useMoney } from '../../design/money.ts';
import { StatusBadge } from '../status-badge.tsx';
import { useRevisions } from './sent.queries.ts';
import styles from './sent.module.css';
import { sentWords } from './sent.words.ts';

interface RevisionsProps {
  readonly quote: Pick<api.Quote, 'id'>;
  readonly onCompare: (id: string) => void;
}

/** The revisions of a quote, where there are several. */
export function Revisions({ quote, onCompare }: RevisionsProps) {
  const words = useWords(sentWords);
  const money = useMoney();
  const { data: revisions = [] } = useRevisions(quote.id);
  if (revisions.length < 2) return null;
  return (
    <section className={styles['panel']} aria-label={words.revisions}>
      <h2>{words.revisions}</h2>
      <ol className={styles['revisions']}>
        {revisions.map(({ id, revision, status, totalAmount, currency }) => (
          <li key={id} className={styles['revision']}>
            <span className={styles['eventTitle']}>
              {id === quote.id ? (
                words.revision(revision)
              ) : (
                <Link to="/quotes/$id" params={{ id }}>
                  {words.revision(revision)}
                </Link>
              )}
            </span>
            <StatusBadge status={status} />
            <span className={styles['figure']}>{money(totalAmount, currency)}</span>
            {id === quote.id ? (
              <span className={styles['quiet']}>{words.shown}</span>
            ) : (
              <Button kind="plain" onClick={() => onCompare(id)}>
                {words.compare}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
