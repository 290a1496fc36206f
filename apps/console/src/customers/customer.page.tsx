import { Link } from '@tanstack/react-router';
import { mayCall } from '@tenantry/client';
import { ActionLink } from '../design/action-link.tsx';
import { useParam } from '../design/address.ts';
import { BackLink } from '../design/back-link.tsx';
import { useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Section } from '../design/page.tsx';
import rowStyles from '../design/rows.module.css';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { NotShown } from '../failures/not-shown.tsx';
import { useQuotesOf } from '../quotes/quotes.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { CustomerForm } from './customer-form.tsx';
import { useCustomer, useDuplicateCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';
import styles from './customers.module.css';

/** A customer, with their quotes. */
export function Page() {
  const words = useWords(customerWords);
  const id = useParam('id');
  const { permissions } = useSignedIn();
  const { data, error, refetch } = useCustomer(id);
  if (data) {
    return (
      <Frame
        title={data.customer.name || words.unnamed}
        actions={
          mayCall(permissions, 'createQuote') && (
            <ActionLink to="/quotes/new" search={{ customer: id }} kind="primary">
              {words.quotes.create}
            </ActionLink>
          )
        }
      >
        <BackLink to="/customers">{words.back}</BackLink>
        <Duplicate id={id} />
        <Section title={words.details.title} about={words.details.about}>
          <CustomerForm key={id} read={data} />
        </Section>
        <Section title={words.quotes.title}>
          <CustomerQuotes id={id} />
        </Section>
      </Frame>
    );
  }
  if (error !== null) {
    return (
      <NotShown
        title={words.title}
        notFound={words.notFound}
        list="/customers"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Frame title={words.title}>
      <Skeleton label={words.loading} lines={6} />
    </Frame>
  );
}

/** Another customer who may be the same. */
function Duplicate({ id }: { readonly id: string }) {
  const words = useWords(customerWords);
  const other = useDuplicateCustomer(id);
  if (!other) return undefined;
  return (
    <Notice kind="news">
      <p>
        {words.duplicate}{' '}
        <Link to="/customers/$id" params={{ id: other.id }}>
          <bdi>{other.name || words.unnamed}</bdi>
        </Link>
      </p>
    </Notice>
  );
}

function CustomerQuotes({ id }: { readonly id: string }) {
  const { quotes: words } = useWords(customerWords);
  const money = useMoney();
  const quotes = useQuotesOf(id);
  if (quotes.isPending) return <Skeleton label={words.loading} lines={3} />;
  if (quotes.isError) return <Failure error={quotes.error} onRetry={() => void quotes.refetch()} />;
  if (quotes.data.length === 0) return <p>{words.empty}</p>;
  return (
    <ul className={rowStyles['rows']} aria-label={words.title}>
      {quotes.data.map(({ id: quoteId, number, title, totalAmount, currency }) => (
        <li key={quoteId} className={`${rowStyles['row']} ${styles['row']}`}>
          <Link to="/quotes/$id" params={{ id: quoteId }} className={rowStyles['link']}>
            {title}
          </Link>
          <span className={rowStyles['quiet']}>{`${number} · ${money(totalAmount, currency)}`}</span>
        </li>
      ))}
    </ul>
  );
}
