import { Link } from '@tanstack/react-router';
import { mayCall, type api } from '@tenantry/client';
import { ActionLink } from '../design/action-link.tsx';
import { useParam } from '../design/address.ts';
import { Button } from '../design/button.tsx';
import { SelectField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { languages, useFormats, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Row, Section } from '../design/page.tsx';
import rowStyles from '../design/rows.module.css';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure, useTold } from '../failures/failure.tsx';
import { NotShown } from '../failures/not-shown.tsx';
import { useQuotesOf } from '../quotes/quotes.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useChangeCustomer, useCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';
import styles from './customers.module.css';

/** A customer: how they are called, and their quotes. */
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
        <p>
          <Link to="/customers">{`← ${words.back}`}</Link>
        </p>
        <Section title={words.details.title} about={words.details.about}>
          <CustomerForm key={data.etag} {...data} />
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

interface CustomerFormProps {
  readonly customer: api.Customer;
  readonly etag: string | undefined;
}

function CustomerForm({ customer, etag }: CustomerFormProps) {
  const { details: words } = useWords(customerWords);
  const { permissions } = useSignedIn();
  const change = useChangeCustomer(customer.id);
  const told = useTold(change.error);
  const { refetch } = useCustomer(customer.id);
  const mayChange = mayCall(permissions, 'patchCustomer');
  return (
    <Form
      sends={change}
      onSubmit={({ text }) => {
        const email = text('email').trim();
        const language = languages.find((known) => known === text('language')) ?? null;
        change.mutate({ etag, body: { name: text('name'), email: email === '' ? null : email, language } });
      }}
    >
      {change.error !== null && <Failure error={change.error} />}
      {told?.code === 'PRECONDITION_FAILED' && (
        <Row>
          <Button onClick={() => void refetch()}>{words.readAgain}</Button>
        </Row>
      )}
      {change.isSuccess && <Notice kind="success">{words.saved}</Notice>}
      <TextField
        name="name"
        autoComplete="off"
        readOnly={!mayChange}
        defaultValue={customer.name}
        label={words.name}
        error={told?.fields['name']}
      />
      <TextField
        name="email"
        type="email"
        autoComplete="off"
        readOnly={!mayChange}
        defaultValue={customer.email ?? ''}
        label={words.email}
        error={told?.fields['email']}
      />
      <SelectField
        name="language"
        disabled={!mayChange}
        defaultValue={customer.language ?? ''}
        label={words.language}
        error={told?.fields['language']}
      >
        <option value="">{words.noLanguage}</option>
        {languages.map((language) => (
          <option key={language} value={language}>
            {words.languages[language]}
          </option>
        ))}
      </SelectField>
      {mayChange && (
        <Row>
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {words.save}
          </Button>
        </Row>
      )}
    </Form>
  );
}

function CustomerQuotes({ id }: { readonly id: string }) {
  const { quotes: words } = useWords(customerWords);
  const formats = useFormats();
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
          <span className={rowStyles['quiet']}>{`${number} · ${formats.money(totalAmount, currency)}`}</span>
        </li>
      ))}
    </ul>
  );
}
