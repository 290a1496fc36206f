import type { api } from '@tenantry/client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Panel, Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { Connection } from './connection.tsx';
import { useConnections, useCreateConnection } from './connections.queries.ts';
import { connectionWords } from './connections.words.ts';
import styles from './domains.module.css';

const kinds: readonly api.Connection['kind'][] = ['okta', 'entra', 'google', 'oidc', 'saml'];

/** Signing in at the organization's identity provider: which, and the steps until it is on. */
export function Connections() {
  const words = useWords(connectionWords);
  const connections = useConnections();
  const create = useCreateConnection();
  const toasts = useToasts();
  const [focused, focus] = useState<{ readonly id: string | undefined }>();
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused && focused.id === undefined) around.current?.querySelector('button')?.focus();
  }, [focused]);
  if (connections.isPending) return <Skeleton label={words.title} lines={4} />;
  if (connections.isError) {
    return <Failure error={connections.error} onRetry={() => void connections.refetch()} />;
  }
  const begin = (kind: api.Connection['kind']) =>
    create.mutate({ kind, name: words.kinds[kind] }, { onSuccess: ({ id }) => focus({ id }) });
  return (
    <Stack>
      {connections.data.length > 0 && (
        <ul className={styles['domains']} aria-label={words.list}>
          {connections.data.map((connection) => (
            <Connection
              key={connection.id}
              connection={connection}
              focused={focused?.id === connection.id ? focused : undefined}
              onDeleted={() => {
                focus({ id: undefined });
                toasts.show({ text: words.remove.done });
              }}
            />
          ))}
        </ul>
      )}
      {connections.data.length === 0 && (
        <div ref={around}>
          <Panel title={words.title}>
            <p>{words.about}</p>
            <p>{words.start}</p>
            {create.error !== null && <Failure error={create.error} />}
            <Row>
              {kinds.map((kind) => (
                <Button key={kind} isBusy={create.isPending} onClick={() => begin(kind)}>
                  {words.kinds[kind]}
                </Button>
              ))}
            </Row>
          </Panel>
        </div>
      )}
    </Stack>
  );
}
