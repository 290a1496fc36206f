import type { api } from '@tenantry/client';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choices.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Form } from '../design/form.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { TextArea } from '../design/text-area.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useUpdateConnection } from './connections.queries.ts';
import { connectionWords } from './connections.words.ts';
import styles from './domains.module.css';

interface SamlProps {
  readonly connection: api.Connection;
  readonly saml: NonNullable<api.Connection['saml']>;
}

/** What is registered at an identity provider of SAML. */
export function SamlRegistration({ connection: { redirectUri }, saml: { entityId } }: SamlProps) {
  const { register: words, saml, copied, uncopied } = useWords(connectionWords);
  const copying = { copied, uncopied };
  const values = [
    { name: saml.acsUrl, value: redirectUri, copy: saml.copyAcsUrl },
    { name: saml.entityId, value: entityId, copy: saml.copyEntityId },
  ];
  return (
    <>
      <p>{words.create.saml}</p>
      <dl className={styles['record']}>
        {values.map(({ name, value, copy }) => (
          <div key={name} className={styles['part']}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
            <dd>
              <CopyButton text={value} words={{ ...copying, copy }} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles['quiet']}>{saml.signing}</p>
    </>
  );
}

/** What an identity provider of SAML gives: the address of its metadata, or the metadata itself. */
export function SamlValues({ connection, saml }: SamlProps) {
  const { values, saml: words } = useWords(connectionWords);
  const update = useUpdateConnection(connection);
  const problem = useProblem(update.error);
  const toasts = useToasts();
  const { provesSecondFactor } = connection;
  const [second, setSecond] = useState(provesSecondFactor);
  const save = useRef<HTMLButtonElement>(null);
  return (
    <Form
      key={saml.readAt}
      sends={update}
      refusal={update.error}
      onSubmit={({ text }) => {
        const given = text('metadata').trim();
        const changes = {
          ...(given !== '' &&
            given !== saml.metadataUrl && {
              saml: given.startsWith('<') ? { metadata: given } : { metadataUrl: given },
            }),
          ...(second !== provesSecondFactor && { provesSecondFactor: second }),
        };
        if (Object.keys(changes).length === 0) return;
        update.mutate(changes, {
          onSuccess: () => {
            save.current?.focus();
            toasts.show({ text: values.saved });
          },
        });
      }}
    >
      <p>{values.paste.saml}</p>
      {update.error !== null && <Failure error={update.error} />}
      <TextArea
        {...{ name: 'metadata', rows: 3, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }}
        required={saml.ssoUrl === null}
        label={words.metadata}
        hint={words.drop}
        defaultValue={saml.metadataUrl ?? ''}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => void takeDropped(event)}
        error={problem?.fields['saml'] === undefined ? undefined : words.unusable}
      />
      <Choice type="checkbox" label={values.second} checked={second} onChange={() => setSecond(!second)} />
      <Known saml={saml} />
      <div>
        <Button ref={save} type="submit" isBusy={update.isPending}>
          {values.save}
        </Button>
      </div>
    </Form>
  );
}

function Known({ saml: { ssoUrl, certificates } }: Pick<SamlProps, 'saml'>) {
  const { saml: words } = useWords(connectionWords);
  const formats = useFormats();
  if (ssoUrl === null) return null;
  return (
    <dl className={styles['record']}>
      <div className={styles['part']}>
        <dt>{words.ssoUrl}</dt>
        <dd>
          <code>{ssoUrl}</code>
        </dd>
      </div>
      {certificates.map(({ fingerprint, subject, endsAt }) => (
        <div key={fingerprint} className={styles['part']}>
          <dt>{words.certificate(subject, formats.day(endsAt))}</dt>
          <dd>
            <code>{fingerprint}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The text of a file in place of what the field has. */
async function takeDropped(event: DragEvent<HTMLTextAreaElement>): Promise<void> {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  const { currentTarget: area } = event;
  area.value = await file.text();
  area.dispatchEvent(new Event('input', { bubbles: true }));
  area.focus();
}
