import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRecipient, type Recipient } from '../customers/customers.queries.ts';
import { useQueryOfAddress } from '../design/address.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Panel, Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { CustomerField } from './customer-field.tsx';
import { useCreateQuote } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';

/** Beginning a quote: whom it is for, and what it is about. `?customer=` names a lead or a customer. */
export function Page() {
  const { newQuote: words } = useWords(quoteWords);
  return (
    <Frame title={words.title}>
      <Panel>
        <NewQuoteForm />
      </Panel>
    </Frame>
  );
}

function NewQuoteForm() {
  const { newQuote: words } = useWords(quoteWords);
  const { customer: proposedId } = useQueryOfAddress();
  const proposed = useRecipient(typeof proposedId === 'string' ? proposedId : undefined);
  const [chosen, choose] = useState<Recipient>();
  const [isMissing, setMissing] = useState(false);
  const navigate = useNavigate();
  const create = useCreateQuote();
  const problem = useProblem(create.error);
  const recipient = chosen ?? proposed.data;
  function submit(title: string, email: string) {
    setMissing(!recipient);
    if (!recipient) return;
    const customer = { customerId: recipient.id, ...namesOf(recipient, email) };
    create.mutate({ ...customer, title }, { onSuccess: ({ id }) => openQuote(id) });
  }
  const openQuote = (id: string) => navigate({ to: '/quotes/$id', params: { id }, replace: true });
  return (
    <Form
      sends={create}
      refusal={create.error ?? (isMissing || undefined)}
      onSubmit={({ text }) => submit(text('title'), text('customerEmail'))}
    >
      {create.error !== null && <Failure error={create.error} />}
      <CustomerField
        label={words.customer}
        hint={words.customerHint}
        error={isMissing && !recipient ? words.choose : problem?.fields['customerName']}
        name={recipient?.name ?? ''}
        onChoose={choose}
        autoFocus={proposedId === undefined}
      />
      {recipient?.kind === 'new' && (
        <TextField
          name="customerEmail"
          type="email"
          autoComplete="off"
          label={words.email}
          hint={words.emailHint}
          error={problem?.fields['customerEmail']}
        />
      )}
      <TextField
        name="title"
        required
        autoFocus={proposedId !== undefined}
        autoComplete="off"
        label={words.quoteTitle}
        hint={words.titleHint}
        error={problem?.fields['title']}
      />
      <Row>
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {words.submit}
        </Button>
        <Link to="/quotes" ignoreBlocker>
          {words.cancel}
        </Link>
      </Row>
    </Form>
  );
}

/** The API knows the names of its customers; those of leads and of new customers are sent to it. */
function namesOf({ kind, name, email }: Recipient, typedEmail: string) {
  if (kind === 'customer') return {};
  const customerEmail = kind === 'new' ? typedEmail.trim() : email;
  return { ...(name !== '' && { customerName: name }), ...(customerEmail !== '' && { customerEmail }) };
}
