import type { api } from '@tenantry/client';
import { apiKeysMax } from '@tenantry/contracts/service-accounts';
import { useEffect, useId, useRef, useState } from 'react';
import { useAgo } from '../design/ago.ts';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Cell, Table, TableRow } from '../design/table.tsx';
import { laterFailureWords } from '../failures/failures.words.ts';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useMay } from '../sessions/sessions.queries.ts';
import styles from './access.module.css';
import { expiryOf } from './key-expiry.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

/** What can be done with an account and its keys. */
export interface AccountActions {
  readonly onManage: (account: api.ServiceAccount) => void;
  readonly onNewKey: (account: api.ServiceAccount) => void;
  readonly onDeleteKey: (account: api.ServiceAccount, apiKey: api.ApiKey) => void;
}

interface ServiceAccountProps {
  readonly account: api.ServiceAccount;
  readonly actions: AccountActions;
  /** Each new object focuses it. */
  readonly focused: object | undefined;
}

/** A service account, with its keys. */
export function ServiceAccount({ account, actions, focused }: ServiceAccountProps) {
  const words = useWords(serviceAccountWords);
  const { reasons } = useWords(laterFailureWords);
  const roles = useRoleNames();
  const formats = useFormats();
  const may = useMay();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const { name, role, createdAt, createdBy, keys } = account;
  const mayMakeKey = may('createApiKey') && keys.length < apiKeysMax;
  return (
    <li className={styles['account']} aria-labelledby={id}>
      <div className={styles['head']}>
        <div>
          <h2 id={id} ref={heading} tabIndex={-1} className={styles['name']}>
            <bdi>{name}</bdi> <Badge kind={role === 'member' ? 'quiet' : 'strong'}>{roles[role]}</Badge>
          </h2>
          <p className={styles['details']}>{words.created(formats.day(createdAt), createdBy.name)}</p>
        </div>
        <Row>
          {mayMakeKey && (
            <Button aria-label={words.newKeyOf(name)} onClick={() => actions.onNewKey(account)}>
              {words.newKey}
            </Button>
          )}
          {may('updateServiceAccount') && (
            <Button aria-label={words.manageOf(name)} onClick={() => actions.onManage(account)}>
              {words.manage}
            </Button>
          )}
        </Row>
      </div>
      {keys.length === 0 && <p className={styles['none']}>{words.noKeys}</p>}
      {keys.length > 0 && (
        <Table
          label={words.keysOf(name)}
          columns={[
            { name: 'what', title: words.key.columns.key },
            { name: 'use', title: words.key.columns.use },
            { name: 'action', title: words.key.remove, isUntitled: true },
          ]}
          layout={{ ...styles, row: styles['key'] }}
        >
          {keys.map((apiKey) => (
            <Key
              key={apiKey.id}
              apiKey={apiKey}
              role={role}
              onDelete={may('deleteApiKey') ? () => actions.onDeleteKey(account, apiKey) : undefined}
            />
          ))}
        </Table>
      )}
      {keys.length >= apiKeysMax && <p className={styles['none']}>{reasons.QUOTA_EXCEEDED.API_KEYS}</p>}
    </li>
  );
}

interface KeyProps {
  readonly apiKey: api.ApiKey;
  readonly role: api.ServiceAccount['role'];
  readonly onDelete: (() => void) | undefined;
}

function Key({ apiKey, role, onDelete }: KeyProps) {
  const { key: words } = useWords(serviceAccountWords);
  const [formats, ago] = [useFormats(), useAgo()];
  const [now] = useState(() => Date.now());
  const { name, ending, permissions, expiresAt, lastUsedAt } = apiKey;
  const expiry = expiryOf(expiresAt, now);
  const day = formats.day(expiresAt);
  return (
    <TableRow className={styles['key']}>
      <Cell className={styles['what']}>
        <span className={styles['title']}>
          <bdi>{name}</bdi> <span className={styles['ending']}>{words.ending(ending)}</span>{' '}
          {expiry !== 'later' && <Badge kind="problem">{words.badges[expiry]}</Badge>}
        </span>
        <span className={styles['details']}>
          {permissions === null ? words.everything[role] : wordsOf(permissions, words.permissions)}
        </span>
      </Cell>
      <Cell className={styles['use']} isQuiet>
        <span>{expiry === 'expired' ? words.expired(day) : words.expires(ago(expiresAt, now), day)}</span>
        <span>{lastUsedAt === null ? words.neverUsed : words.used(formats.moment(lastUsedAt))}</span>
      </Cell>
      <Cell className={styles['action']} isAtEnd>
        {onDelete && (
          <Button kind="plain" aria-label={words.removeOf(name)} onClick={onDelete}>
            {words.remove}
          </Button>
        )}
      </Cell>
    </TableRow>
  );
}

/** In their usual order; those of services that the console does not know are shown by name. */
function wordsOf(permissions: readonly string[], known: Readonly<Record<string, string>>): string {
  const names = Object.keys(known).filter((name) => permissions.includes(name));
  const others = permissions.filter((name) => !(name in known));
  return [...names.map((name) => known[name] ?? ''), ...others].join(' · ');
}
