import type { api } from '@tenantry/client';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choices.tsx';
import { Confirm } from '../design/confirm.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { useToasts } from '../design/use-toasts.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import {
  useDeleteConnection,
  useTestConnection,
  useUnlink,
  useUpdateConnection,
  useVisitToLink,
} from './connections.queries.ts';
import { connectionWords } from './connections.words.ts';
import { Directory } from './directory.tsx';
import { SamlRegistration, SamlValues } from './saml-values.tsx';
import styles from './domains.module.css';

interface ConnectionProps {
  readonly connection: api.Connection;
}

interface CardProps extends ConnectionProps {
  /** Each new object focuses it. */
  readonly focused: object | undefined;
  readonly onDeleted: () => void;
}

/** A connection to an identity provider, in four steps, and a fifth for its owner. */
export function Connection({ connection, focused, onDeleted }: CardProps) {
  const words = useWords(connectionWords);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const remove = useDeleteConnection(connection);
  const { name, enabled, saml } = connection;
  return (
    <li className={styles['domain']} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={styles['name']}>
        {words.title}: <bdi>{name}</bdi>{' '}
        <Badge kind={enabled ? 'strong' : 'quiet'}>{enabled ? words.badges.on : words.badges.off}</Badge>
      </h2>
      <p className={styles['state']}>{words.about}</p>
      <ol className={styles['steps']}>
        <Step title={words.register.title}>
          {saml ? <SamlRegistration {...{ connection, saml }} /> : <Registration connection={connection} />}
        </Step>
        <Step title={words.values.title}>
          {saml ? <SamlValues {...{ connection, saml }} /> : <Values connection={connection} />}
        </Step>
        <Step title={words.test.title}>
          <Test connection={connection} />
        </Step>
        <Step title={words.turn.title}>
          <Turn connection={connection} />
        </Step>
        {enabled && (
          <Step title={words.link.title}>
            <OwnLink connection={connection} />
          </Step>
        )}
      </ol>
      <Directory connection={connection} />
      <div className={styles['removal']}>
        <Confirm
          {...{ action: words.remove.action, question: words.remove.sure }}
          {...{ confirm: words.remove.action, cancel: words.cancel }}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
        >
          {remove.error !== null && <Failure error={remove.error} />}
        </Confirm>
      </div>
    </li>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <div className={styles['step']}>
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}

/** Takes the focus after a change that removes the element which had it. */
function useFocusAfter<Target extends HTMLElement>() {
  const target = useRef<Target>(null);
  const [change, setChange] = useState<object>();
  useEffect(() => {
    if (change) target.current?.focus();
  }, [change]);
  return [target, () => setChange({})] as const;
}

function Registration({ connection: { kind, redirectUri } }: ConnectionProps) {
  const { register: words, copied, uncopied } = useWords(connectionWords);
  return (
    <>
      <p>{words.create[kind]}</p>
      <p className={styles['address']}>
        <code>{redirectUri}</code>
      </p>
      <CopyButton text={redirectUri} words={{ copy: words.copy, copied, uncopied }} />
    </>
  );
}

function Values({ connection }: ConnectionProps) {
  const { values: words } = useWords(connectionWords);
  const update = useUpdateConnection(connection);
  const problem = useProblem(update.error);
  const toasts = useToasts();
  const { kind, issuer, clientId, hasSecret, provesSecondFactor } = connection;
  const [second, setSecond] = useState(provesSecondFactor);
  const [saved, setSaved] = useState(0);
  const [save, focusSave] = useFocusAfter<HTMLButtonElement>();
  const field = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <Form
      // The secret is not kept in its field.
      key={saved}
      sends={update}
      refusal={update.error}
      onSubmit={({ text }) => {
        const wanted = { issuer: text('issuer').trim(), clientId: text('clientId').trim() };
        const clientSecret = text('clientSecret').trim();
        // What stays is not sent: while it is on, another issuer is refused.
        const changes = {
          ...(wanted.issuer !== (issuer ?? '') && { issuer: wanted.issuer }),
          ...(wanted.clientId !== (clientId ?? '') && { clientId: wanted.clientId }),
          ...(clientSecret !== '' && { clientSecret }),
          ...(second !== provesSecondFactor && { provesSecondFactor: second }),
        };
        if (Object.keys(changes).length === 0) return;
        update.mutate(changes, {
          onSuccess: () => {
            setSaved(saved + 1);
            focusSave();
            toasts.show({ text: words.saved });
          },
        });
      }}
    >
      <p>{words.paste[kind]}</p>
      {update.error !== null && <Failure error={update.error} />}
      <TextField
        {...{ ...field, name: 'issuer', inputMode: 'url', required: true }}
        label={words.issuer}
        defaultValue={issuer ?? (kind === 'google' ? 'https://accounts.google.com' : '')}
        error={problem?.fields['issuer']}
      />
      <TextField
        {...{ ...field, name: 'clientId', required: true }}
        label={words.clientId}
        defaultValue={clientId ?? ''}
        error={problem?.fields['clientId']}
      />
      <TextField
        {...{ ...field, name: 'clientSecret', type: 'password', required: !hasSecret }}
        label={words.clientSecret}
        hint={hasSecret ? words.kept : undefined}
        error={problem?.fields['clientSecret']}
      />
      <Choice type="checkbox" label={words.second} checked={second} onChange={() => setSecond(!second)} />
      <div>
        <Button ref={save} type="submit" isBusy={update.isPending}>
          {words.save}
        </Button>
      </div>
    </Form>
  );
}

function Test({ connection }: ConnectionProps) {
  const { test: words } = useWords(connectionWords);
  const test = useTestConnection(connection);
  return (
    <>
      <p>{words.about}</p>
      <div>
        <Button isBusy={test.isPending} disabled={connection.issuer === null} onClick={() => test.mutate()}>
          {words.action}
        </Button>
      </div>
      <p role="status" className={styles['address']}>
        {test.isSuccess && words.works(test.data.issuer, test.data.signingKeys)}
      </p>
      {test.error !== null && <Failure error={test.error} />}
    </>
  );
}

function Turn({ connection }: ConnectionProps) {
  const { turn: words, cancel } = useWords(connectionWords);
  const update = useUpdateConnection(connection);
  const toasts = useToasts();
  const [state, focusState] = useFocusAfter<HTMLParagraphElement>();
  const { enabled, issuer, clientId, hasSecret, saml, people } = connection;
  const isComplete = issuer !== null && (saml !== null || (clientId !== null && hasSecret));
  const change = (to: boolean) =>
    update.mutate(
      { enabled: to },
      {
        onSuccess: () => {
          focusState();
          toasts.show({ text: to ? words.done : words.isOff });
        },
      },
    );
  const refusal = update.error !== null && <Failure error={update.error} />;
  return (
    <>
      <p ref={state} tabIndex={-1}>
        {enabled ? words.isOn(people) : words.nobody}
      </p>
      {enabled ? (
        <Confirm
          {...{ action: words.off, question: words.sure(people), confirm: words.off, cancel }}
          isBusy={update.isPending}
          onConfirm={() => change(false)}
        >
          {refusal}
        </Confirm>
      ) : (
        <>
          {refusal}
          <div>
            <Button
              kind="primary"
              isBusy={update.isPending}
              disabled={!isComplete}
              onClick={() => change(true)}
            >
              {words.on}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

/** The owner's own account there: until it is linked, single sign-on does not let the owner in. */
function OwnLink({ connection }: ConnectionProps) {
  const { link: words, cancel } = useWords(connectionWords);
  const [visit, unlink] = [useVisitToLink(connection), useUnlink(connection)];
  const [state, focusState] = useFocusAfter<HTMLParagraphElement>();
  const toasts = useToasts();
  if (connection.isLinked) {
    return (
      <>
        <p ref={state} tabIndex={-1}>
          {words.isLinked}
        </p>
        <Confirm
          {...{ action: words.unlink, question: words.sure, confirm: words.unlink, cancel }}
          isBusy={unlink.isPending}
          onConfirm={() =>
            unlink.mutate(undefined, {
              onSuccess: () => {
                focusState();
                toasts.show({ text: words.unlinked });
              },
            })
          }
        >
          {unlink.error !== null && <Failure error={unlink.error} />}
        </Confirm>
      </>
    );
  }
  return (
    <>
      <p ref={state} tabIndex={-1}>
        {words.about}
      </p>
      {visit.error !== null && <Failure error={visit.error} />}
      <div>
        <Button isBusy={visit.isPending} onClick={() => visit.mutate()}>
          {words.action}
        </Button>
      </div>
    </>
  );
}
