import { Link, useNavigate } from '@tanstack/react-router';
import { mayCall } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useEffect, useState } from 'react';
import { ActionLink } from '../design/action-link.tsx';
import { useQueryOfAddress } from '../design/address.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TextField } from '../design/field.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Row } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Cell, rowLink, Table, TableRow } from '../design/table.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useCustomers } from './customers.queries.ts';
import { NewCustomer } from './new-customer.tsx';
import { customerWords } from './customers.words.ts';
import styles from './customers.module.css';

const restMs = 150;

/** The customers: everyone with a quote or a draft, and who was added without. */
export function Page() {
  const words = useWords(customerWords);
  const { search: found } = useQueryOfAddress();
  const search = typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  const [typed, setTyped] = useState<string>();
  const { permissions } = useSignedIn();
  const navigate = useNavigate();
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      const text = typed.trim();
      void navigate({ to: '/customers', search: text === '' ? {} : { search: text }, replace: true });
    }, restMs);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  return (
    <Frame
      title={words.title}
      actions={
        mayCall(permissions, 'createCustomer') && (
          <Row>
            <ActionLink to="/customers/import">{words.import}</ActionLink>
            <NewCustomer />
          </Row>
        )
      }
    >
      <search className={styles['search']}>
        <TextField
          name="search"
          type="search"
          autoComplete="off"
          label={words.search}
          placeholder={words.searchHint}
          value={typed ?? search}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => setTyped(undefined)}
        />
      </search>
      <CustomerList search={search} />
    </Frame>
  );
}

function CustomerList({ search }: { readonly search: string }) {
  const words = useWords(customerWords);
  const customers = useCustomers(search);
  if (customers.isPending) return <Skeleton label={words.loading} lines={8} />;
  if (customers.isError) return <Failure error={customers.error} onRetry={() => void customers.refetch()} />;
  const rows = customers.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <Nothing isEmpty={search === ''} />;
  return (
    <>
      <Table
        label={words.list}
        columns={(['name', 'email'] as const).map((name) => ({ name, title: words.details[name] }))}
        layout={{ ...styles, row: styles['customer'] }}
      >
        {rows.map(({ id, name, email }) => (
          <TableRow key={id} className={styles['customer']}>
            <Cell className={styles['name']}>
              <Link to="/customers/$id" params={{ id }} className={rowLink}>
                {name || words.unnamed}
              </Link>
            </Cell>
            <Cell className={undefined} isQuiet>
              {email && shownEmail(email)}
            </Cell>
          </TableRow>
        ))}
      </Table>
      {customers.hasNextPage && (
        <Row>
          <Button isBusy={customers.isFetchingNextPage} onClick={() => void customers.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </>
  );
}

function Nothing({ isEmpty }: { readonly isEmpty: boolean }) {
  const { empty, nothingFound } = useWords(customerWords);
  const { permissions } = useSignedIn();
  const words = isEmpty ? empty : nothingFound;
  return (
    <EmptyState title={words.title}>
      <p>{words.text}</p>
      {!isEmpty && <Link to="/customers">{nothingFound.action}</Link>}
      {isEmpty && mayCall(permissions, 'createQuote') && (
        <ActionLink to="/quotes/new" kind="primary">
          {empty.action}
        </ActionLink>
      )}
    </EmptyState>
  );
}
