import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { api } from '@tenantry/client';
import { serviceAccountsMax } from '@tenantry/contracts/service-accounts';
import { BackLink } from '../design/back-link.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { laterFailureWords } from '../failures/failures.words.ts';
import { useMay } from '../sessions/sessions.queries.ts';
import styles from './access.module.css';
import { CreateAccountDialog, ManageAccountDialog } from './account-dialogs.tsx';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ServiceAccount, type AccountActions } from './service-account.tsx';
import { useServiceAccounts } from './service-accounts.queries.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

type Opened =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'manage' | 'new-key'; readonly account: api.ServiceAccount }
  | { readonly dialog: 'delete-key'; readonly account: api.ServiceAccount; readonly apiKey: api.ApiKey };

/** Where the focus goes once the button that opened a dialog is gone; a new object each time. */
interface FocusTarget {
  /** Undefined for the button that creates one. */
  readonly accountId: string | undefined;
}

/** The programs that act in the organization, and their keys. */
export function Page() {
  const words = useWords(serviceAccountWords);
  const may = useMay();
  const accounts = useServiceAccounts();
  const [opened, open] = useState<Opened>();
  const [target, focus] = useState<FocusTarget>();
  const toasts = useToasts();
  const count = accounts.data?.length ?? 0;
  const create = may('createServiceAccount') && count < serviceAccountsMax && (
    <CreateButton onCreate={() => open({ dialog: 'create' })} target={target} />
  );
  const done = (text: string, accountId?: string) => {
    open(undefined);
    focus({ accountId });
    toasts.show({ text });
  };
  return (
    <Frame title={words.title} actions={count > 0 && create}>
      <BackLink to="/organization/security">{words.back}</BackLink>
      <p className={styles['about']}>{words.about}</p>
      {accounts.isPending && <Skeleton label={words.title} lines={8} />}
      {accounts.isError && <Failure error={accounts.error} onRetry={() => void accounts.refetch()} />}
      {accounts.isSuccess && (
        <Accounts
          accounts={accounts.data}
          target={target}
          actions={{
            onManage: (account) => open({ dialog: 'manage', account }),
            onNewKey: (account) => open({ dialog: 'new-key', account }),
            onDeleteKey: (account, apiKey) => open({ dialog: 'delete-key', account, apiKey }),
          }}
          create={create}
        />
      )}
      {opened && (
        <OpenedDialog
          opened={opened}
          onDone={done}
          onClose={() => {
            open(undefined);
            if (opened.dialog === 'new-key') focus({ accountId: opened.account.id });
          }}
        />
      )}
    </Frame>
  );
}

interface OpenedDialogProps {
  readonly opened: Opened;
  readonly onClose: () => void;
  /** Says what was done, and focuses an account or, without one, the button that creates one. */
  readonly onDone: (text: string, accountId?: string) => void;
}

function OpenedDialog({ opened, onClose, onDone }: OpenedDialogProps) {
  if (opened.dialog === 'create') return <CreateAccountDialog {...{ onClose, onDone }} />;
  const { account } = opened;
  if (opened.dialog === 'delete-key') {
    return <DeleteKeyDialog {...{ account, onClose, onDone }} apiKey={opened.apiKey} />;
  }
  if (opened.dialog === 'new-key') return <NewKeyDialog {...{ account, onClose }} />;
  return <ManageAccountDialog {...{ account, onClose, onDone }} />;
}

interface AccountsProps {
  readonly accounts: readonly api.ServiceAccount[];
  readonly target: FocusTarget | undefined;
  readonly actions: AccountActions;
  /** The button that creates the first. */
  readonly create: ReactNode;
}

function Accounts({ accounts, target, actions, create }: AccountsProps) {
  const words = useWords(serviceAccountWords);
  const { reasons } = useWords(laterFailureWords);
  if (accounts.length === 0) {
    return (
      <EmptyState title={words.empty.title}>
        <p>{words.empty.text}</p>
        {create}
      </EmptyState>
    );
  }
  return (
    <Stack>
      {accounts.length >= serviceAccountsMax && (
        <Notice kind="news">{reasons.QUOTA_EXCEEDED.SERVICE_ACCOUNTS}</Notice>
      )}
      <ul className={styles['accounts']} aria-label={words.list}>
        {accounts.map((account) => (
          <ServiceAccount
            key={account.id}
            account={account}
            actions={actions}
            // A new object for each time, so that it is focused again.
            focused={target?.accountId === account.id ? target : undefined}
          />
        ))}
      </ul>
    </Stack>
  );
}

interface CreateButtonProps {
  readonly onCreate: () => void;
  readonly target: FocusTarget | undefined;
}

function CreateButton({ onCreate, target }: CreateButtonProps) {
  const { create: words } = useWords(serviceAccountWords);
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target && target.accountId === undefined) around.current?.querySelector('button')?.focus();
  }, [target]);
  return (
    <div ref={around}>
      <Button kind="primary" onClick={onCreate}>
        {words.action}
      </Button>
    </div>
  );
}
