import { isTenantryError } from '@tenantry/client';
import { lazy, Suspense } from 'react';
import { useParam } from '../design/address.ts';
import { BackLink } from '../design/back-link.tsx';
import { loadPart } from '../design/load-part.ts';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { NotShown } from '../failures/not-shown.tsx';
import { useSender } from '../organizations/organization.queries.ts';
import { useQuote } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';
import { QuoteSheet } from './quote-sheet.tsx';
import { SentQuote } from './sent/sent-quote.tsx';

/** Those who look at what was sent do not wait for what drafts are written with. */
const Editor = lazy(async () => ({ default: (await loadPart(() => import('./editor/editor.tsx'))).Editor }));

/** A quote: a draft to write, or what was sent and what became of it. */
export function Page() {
  const id = useParam('id');
  return <QuotePage key={id} id={id} />;
}

function QuotePage({ id }: { readonly id: string }) {
  const words = useWords(quoteWords);
  const quote = useQuote(id);
  const sender = useSender();
  const error = quote.error ?? sender.error;
  // A draft is written from what is saved now, and not from what was seen before.
  const isCurrent = quote.data?.quote.status !== 'draft' || quote.isFetchedAfterMount;
  if (quote.data && sender.data && isCurrent) {
    const { quote: one, etag } = quote.data;
    if (one.status === 'draft') {
      return (
        <Suspense fallback={<Loading title={one.title} />}>
          <Editor quote={one} etag={etag} sender={sender.data} />
        </Suspense>
      );
    }
    return (
      <Frame title={one.title}>
        <BackLink to="/quotes" beside={one.number}>
          {words.back}
        </BackLink>
        <SentQuote quote={one} etag={etag} sender={sender.data} />
      </Frame>
    );
  }
  const isOutOfReach = quote.isPaused || (isTenantryError(error) && error.code === 'OFFLINE');
  if (quote.data && sender.data && isOutOfReach) {
    const { quote: seen } = quote.data;
    return (
      <Frame title={seen.title}>
        <BackLink to="/quotes" beside={seen.number}>
          {words.back}
        </BackLink>
        <Notice kind="news">{words.seenBefore}</Notice>
        {error !== null && <Failure error={error} onRetry={() => void quote.refetch()} />}
        <QuoteSheet quote={seen} timeZone={sender.data.settings.timeZone} />
      </Frame>
    );
  }
  if (error !== null) {
    return (
      <NotShown
        title={words.title}
        notFound={words.notFound}
        list="/quotes"
        error={error}
        onRetry={() => void quote.refetch()}
      />
    );
  }
  return <Loading title={words.title} />;
}

function Loading({ title }: { readonly title: string }) {
  const words = useWords(quoteWords);
  return (
    <Frame title={title}>
      <Skeleton label={words.loading} lines={8} />
    </Frame>
  );
}
