import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { expiryOf } from './key-expiry.ts';
import { useDeleteKey } from './service-accounts.queries.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

interface DeleteKeyDialogProps {
  readonly account: api.ServiceAccount;
  readonly apiKey: api.ApiKey;
  readonly onClose: () => void;
  readonly onDone: (text: string, accountId: string) => void;
}

/** Deleting a key: it says what stops working. */
export function DeleteKeyDialog({ account, apiKey, onClose, onDone }: DeleteKeyDialogProps) {
  const { key, cancel } = useWords(serviceAccountWords);
  const { removal: words } = key;
  const formats = useFormats();
  const remove = useDeleteKey(account, apiKey);
  const [isExpired] = useState(() => expiryOf(apiKey.expiresAt, Date.now()) === 'expired');
  const { name, lastUsedAt } = apiKey;
  const used = lastUsedAt === null ? words.unused : words.used(formats.moment(lastUsedAt));
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <p>{isExpired ? words.expired : `${used} ${words.final}`}</p>
      {remove.error !== null && <Failure error={remove.error} />}
      <Row>
        <Button
          kind="danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: () => onDone(words.done(name), account.id) })}
        >
          {words.confirm}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </Row>
    </Dialog>
  );
}
