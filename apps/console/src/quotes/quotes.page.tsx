import { Link, useNavigate } from '@tanstack/react-router';
import { mayCall } from '@tenantry/client';
import { useEffect, useState } from 'react';
import { ActionLink } from '../design/action-link.tsx';
import { useQueryOfAddress } from '../design/address.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import field from '../design/field.module.css';
import { useWords } from '../design/language.ts';
import { Page as Frame, Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { addressOf, filterOf, orderOf, type QuoteFilter } from './quote-filter.ts';
import { QuoteRows } from './quote-rows.tsx';
import { QuoteViews, Worth } from './quote-views.tsx';
import { useQuotes } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './quotes.module.css';

/** The quotes of an organization, by state. */
export function Page() {
  const words = useWords(quoteWords);
  const filter = filterOf(useQueryOfAddress());
  const mayCreate = useMayCreate();
  return (
    <Frame
      title={words.title}
      actions={
        mayCreate && (
          <ActionLink to="/quotes/new" kind="primary">
            {words.create}
          </ActionLink>
        )
      }
    >
      <div className={styles['toolbar']}>
        <Search filter={filter} />
        <QuoteViews filter={filter} />
      </div>
      <QuoteList filter={filter} />
    </Frame>
  );
}

const useMayCreate = (): boolean => mayCall(useSignedIn().permissions, 'createQuote');

const restMs = 150;

/** Searches once nothing was typed for a moment; the address says for what. */
function Search({ filter }: { readonly filter: QuoteFilter }) {
  const words = useWords(quoteWords);
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? filter.search;
  const { view, sort } = filter;
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      void navigate({
        to: '/quotes',
        search: addressOf({ view, sort, search: typed.trim() }),
        replace: true,
      });
    }, restMs);
    return () => clearTimeout(timer);
  }, [typed, view, sort, navigate]);
  return (
    <search className={styles['search']}>
      <input
        name="search"
        type="search"
        className={field['input']}
        autoComplete="off"
        aria-label={words.search}
        placeholder={words.searchHint}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => setTyped(undefined)}
      />
    </search>
  );
}

function QuoteList({ filter }: { readonly filter: QuoteFilter }) {
  const words = useWords(quoteWords);
  const navigate = useNavigate();
  const quotes = useQuotes(filter);
  if (quotes.isPending) return <Skeleton label={words.loading} lines={8} />;
  if (quotes.isError) return <Failure error={quotes.error} onRetry={() => void quotes.refetch()} />;
  const rows = quotes.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <Nothing filter={filter} />;
  return (
    <Stack>
      {filter.search === '' && <Worth view={filter.view} />}
      <QuoteRows
        quotes={rows}
        sort={orderOf(filter)}
        onSort={(sort) =>
          void navigate({ to: '/quotes', search: addressOf({ ...filter, sort }), replace: true })
        }
      />
      {quotes.hasNextPage && (
        <Row>
          <Button isBusy={quotes.isFetchingNextPage} onClick={() => void quotes.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

function Nothing({ filter }: { readonly filter: QuoteFilter }) {
  const { empty, nothingFound, create } = useWords(quoteWords);
  const mayCreate = useMayCreate();
  const isEmpty = filter.view === 'all' && filter.search === '';
  const words = isEmpty ? empty : nothingFound;
  return (
    <EmptyState title={words.title}>
      <p>{words.text}</p>
      {isEmpty ? (
        mayCreate && (
          <ActionLink to="/quotes/new" kind="primary">
            {create}
          </ActionLink>
        )
      ) : (
        <Link to="/quotes">{nothingFound.action}</Link>
      )}
    </EmptyState>
  );
}
