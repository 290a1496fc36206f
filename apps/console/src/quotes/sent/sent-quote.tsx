import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useFormats, useWords } from '../../design/language.ts';
import { useMoney } from '../../design/money.ts';
import { Notice } from '../../design/notice.tsx';
import { useCustomerLanguage } from '../letter-language.tsx';
import { Preview } from '../preview.tsx';
import { standingOf } from '../quote-filter.ts';
import { StatusBadge } from '../status-badge.tsx';
import { Comparison } from './comparison.tsx';
import { QuoteActions } from './quote-actions.tsx';
import { QuoteLead } from './quote-lead.tsx';
import { QuoteSheet } from '../quote-sheet.tsx';
import { Revisions } from './revisions.tsx';
import styles from './sent.module.css';
import { sentWords } from './sent.words.ts';
import { Timeline } from './timeline.tsx';

interface SentQuoteProps {
  readonly quote: api.Quote;
  readonly etag: string | undefined;
  readonly sender: api.Organization;
}

/** A quote that was sent: what it says, what became of it, and what can be done. */
export function SentQuote({ quote, etag, sender }: SentQuoteProps) {
  const words = useWords(sentWords);
  const { timeZone } = sender.settings;
  const { language } = useCustomerLanguage(quote.customerId);
  const [shown, show] = useState<'quote' | 'contract'>();
  const toggle = (what: 'quote' | 'contract') => show(shown === what ? undefined : what);
  const [compared, compare] = useState<string>();
  const [now] = useState(() => Date.now());
  const standing = standingOf(quote, now);
  return (
    <>
      <div className={styles['bar']}>
        <StatusBadge status={standing} />
        <QuoteActions
          quote={quote}
          isPdfShown={shown === 'quote'}
          onPdf={() => toggle('quote')}
          onContract={() => show('contract')}
        />
      </div>
      {standing === 'expired' && quote.supersededBy === null && (
        <Notice kind="news">
          <p>{words.expired}</p>
        </Notice>
      )}
      {quote.supersededBy !== null && (
        <Notice kind="news">
          <p>
            {words.superseded}{' '}
            <Link to="/quotes/$id" params={{ id: quote.supersededBy }}>
              {words.newest}
            </Link>
          </p>
        </Notice>
      )}
      {compared !== undefined && (
        <Comparison quote={quote} otherId={compared} onClose={() => compare(undefined)} />
      )}
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <QuoteSheet quote={quote} timeZone={timeZone} />
          {shown !== undefined && (
            <div key={shown} ref={bringIntoView} className={styles['pdf']}>
              <Preview
                quoteId={quote.id}
                contract={shown === 'contract' ? { file: `${quote.number}-contract.pdf` } : undefined}
                language={language}
                etag={etag}
              />
            </div>
          )}
        </div>
        <div className={styles['side']}>
          <Timeline quote={quote} />
          <ContractPanel quote={quote} isShown={shown === 'contract'} onShow={() => toggle('contract')} />
          <Revisions quote={quote} onCompare={compare} />
          <QuoteLead quote={quote} />
        </div>
      </div>
    </>
  );
}

/** What is shown may be far from its button: below a long quote, or on a phone above it. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView();
}

interface ContractPanelProps {
  readonly quote: api.Quote;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

function ContractPanel({ quote, isShown, onShow }: ContractPanelProps) {
  const { contract: words } = useWords(sentWords);
  const formats = useFormats();
  const money = useMoney();
  const { contractedAt, totalAmount, currency } = quote;
  if (contractedAt === null) return null;
  return (
    <section className={styles['panel']} aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>{words.text(formats.moment(contractedAt))}</p>
      <p className={styles['total']}>{money(totalAmount, currency)}</p>
      <Button aria-pressed={isShown} onClick={onShow}>
        {isShown ? words.hide : words.show}
      </Button>
    </section>
  );
}
