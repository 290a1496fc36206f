import type { api } from '@tenantry/client';
import { scimTokensMax } from '@tenantry/contracts/scim';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { laterFailureWords } from '../failures/failures.words.ts';
import { DirectoryGroups } from './directory-groups.tsx';
import { useCreateScimToken, useDeleteScimToken, useDirectory } from './directory.queries.ts';
import { directoryWords } from './directory.words.ts';
import styles from './domains.module.css';
import { ShownOnce } from './shown-once.tsx';

interface DirectoryProps {
  readonly connection: api.Connection;
}

/** The directory behind a connection, which provisions people by SCIM. */
export function Directory({ connection }: DirectoryProps) {
  const words = useWords(directoryWords);
  const id = useId();
  const directory = useDirectory(connection);
  return (
    <section className={styles['directory']} aria-labelledby={id}>
      <h3 id={id}>{words.title}</h3>
      <p>{words.about}</p>
      {directory.isPending && <Skeleton label={words.title} lines={3} />}
      {directory.isError && <Failure error={directory.error} onRetry={() => void directory.refetch()} />}
      {directory.isSuccess && <Provisioning connection={connection} directory={directory.data} />}
    </section>
  );
}

interface ProvisioningProps extends DirectoryProps {
  readonly directory: api.ListScimTokensAnswer;
}

function Provisioning({ connection, directory }: ProvisioningProps) {
  const words = useWords(directoryWords);
  const { reasons } = useWords(laterFailureWords);
  const create = useCreateScimToken(connection);
  const toasts = useToasts();
  const [state, setState] = useState<object>();
  const list = useRef<HTMLHeadingElement>(null);
  const around = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const wasShown = useRef(false);
  useEffect(() => {
    if (state) list.current?.focus();
  }, [state]);
  useEffect(() => {
    if (wasShown.current && !isShown) around.current?.querySelector('button')?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  const { address, people, scimTokens } = directory;
  const isFull = scimTokens.length >= scimTokensMax;
  return (
    <>
      <p>{words.address}</p>
      <p className={styles['address']}>
        <code>{address}</code>
      </p>
      <CopyButton
        text={address}
        words={{ copy: words.copy, copied: words.copied, uncopied: words.uncopied }}
      />
      <h4 ref={list} tabIndex={-1}>
        {words.tokens}
      </h4>
      {scimTokens.length === 0 && <p>{words.none}</p>}
      {scimTokens.length > 0 && (
        <ul className={styles['tokens']} aria-label={words.tokens}>
          {scimTokens.map((scimToken) => (
            <Token
              key={scimToken.id}
              connection={connection}
              scimToken={scimToken}
              onDeleted={() => {
                setState({});
                toasts.show({ text: words.remove.done });
              }}
            />
          ))}
        </ul>
      )}
      {create.error !== null && <Failure error={create.error} />}
      {isFull ? (
        <p className={styles['quiet']}>{reasons.QUOTA_EXCEEDED.DIRECTORY_TOKENS}</p>
      ) : (
        <div ref={around}>
          <Button
            isBusy={create.isPending}
            onClick={() => create.mutate(undefined, { onSuccess: () => setShown(true) })}
          >
            {words.create}
          </Button>
        </div>
      )}
      {isShown && create.data !== undefined && (
        <ShownOnce
          words={words.shown}
          secrets={[
            {
              name: 'token',
              label: words.shown.token,
              text: create.data,
              copy: words.shown.copyToken,
            },
          ]}
          onClose={() => {
            create.reset();
            setShown(false);
            if (isFull) setState({});
          }}
        />
      )}
      <p>{words.people(people)}</p>
      {scimTokens.length > 0 && <DirectoryGroups connection={connection} />}
    </>
  );
}

interface TokenProps extends DirectoryProps {
  readonly scimToken: api.ScimToken;
  readonly onDeleted: () => void;
}

function Token({ connection, scimToken, onDeleted }: TokenProps) {
  const words = useWords(directoryWords);
  const formats = useFormats();
  const remove = useDeleteScimToken(connection, scimToken);
  const { ending, createdAt, createdBy, lastUsedAt } = scimToken;
  const { action, sure, confirm } = words.remove;
  return (
    <li>
      <p>{words.ending(ending)}</p>
      <p className={styles['quiet']}>
        {words.created(formats.day(createdAt), createdBy.name)}
        {' · '}
        {lastUsedAt === null ? words.neverUsed : words.used(formats.moment(lastUsedAt))}
      </p>
      <Confirm
        {...{ action: action(ending), question: sure, confirm, cancel: words.cancel, kind: 'plain' }}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
      >
        {remove.error !== null && <Failure error={remove.error} />}
      </Confirm>
    </li>
  );
}
