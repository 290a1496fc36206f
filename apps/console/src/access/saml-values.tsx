import type { api } from '@tenantry/client';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '../design/button.tsx';
import { Choice, Choices } from '../design/choices.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useFormats, useWords } from '../design/language.ts';
import type { Values } from '../design/plain-form.tsx';
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

/** What an identity provider of SAML gives: its metadata, or its values one by one. */
export function SamlValues({ connection, saml }: SamlProps) {
  const { values, saml: words } = useWords(connectionWords);
  const update = useUpdateConnection(connection);
  const toasts = useToasts();
  const { provesSecondFactor } = connection;
  const [second, setSecond] = useState(provesSecondFactor);
  const [isInParts, setInParts] = useState(saml.ssoUrl !== null && saml.metadataUrl === null);
  const problem = useProblem(update.error);
  const save = useRef<HTMLButtonElement>(null);
  const choose = (isSingle: boolean) => {
    setInParts(isSingle);
    update.reset();
  };
  const submit = ({ text }: Values) => {
    const given = isInParts ? partsIn(text, connection) : metadataIn(text, saml);
    const changes = {
      ...(given && { saml: given }),
      ...(second !== provesSecondFactor && { provesSecondFactor: second }),
    };
    if (Object.keys(changes).length === 0) return;
    update.mutate(changes, {
      onSuccess: () => {
        save.current?.focus();
        toasts.show({ text: values.saved });
      },
    });
  };
  const errorOf: ErrorOf = (field, unusable) =>
    problem?.fields[`saml.${field}`] === undefined ? undefined : unusable;
  const isPlaced =
    problem !== undefined && Object.keys(problem.fields).some((field) => /^saml\b/.test(field));
  return (
    <Form key={saml.readAt} sends={update} refusal={update.error} onSubmit={submit}>
      <Choices legend={words.how}>
        <Choice
          {...{ type: 'radio', name: 'how', label: words.byMetadata, checked: !isInParts }}
          onChange={() => choose(false)}
        />
        <Choice
          {...{ type: 'radio', name: 'how', label: words.byParts, checked: isInParts }}
          onChange={() => choose(true)}
        />
      </Choices>
      <p>{isInParts ? words.pasteParts : values.paste.saml}</p>
      {update.error !== null && !isPlaced && <Failure error={update.error} />}
      {isInParts ? (
        <Parts {...{ connection, saml, errorOf }} />
      ) : (
        <TextArea
          {...{ name: 'metadata', rows: 3, ...asIs }}
          required={saml.ssoUrl === null}
          label={words.metadata}
          hint={words.drop}
          defaultValue={saml.metadataUrl ?? ''}
          error={problem?.fields['saml'] === undefined ? undefined : words.unusable}
        />
      )}
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

/** What is wrong with a value; undefined where nothing is. */
type ErrorOf = (field: string, unusable: string) => string | undefined;

/** What is sent; undefined where nothing has changed. */
type Given = api.UpdateConnectionBody['saml'];

type Text = Values['text'];

function metadataIn(text: Text, { metadataUrl }: SamlProps['saml']): Given {
  const given = text('metadata').trim();
  if (given === '' || given === metadataUrl) return undefined;
  return given.startsWith('<') ? { metadata: given } : { metadataUrl: given };
}

/** The certificates are given anew with every change: those that are stored are known by their digests alone. */
function partsIn(text: Text, { issuer, saml }: api.Connection): Given {
  const [entityId, ssoUrl] = [text('entityId').trim(), text('ssoUrl').trim()];
  const certificates = certificateFields.map((field) => text(field).trim()).filter((one) => one !== '');
  const isSame = entityId === issuer && ssoUrl === saml?.ssoUrl && certificates.length === 0;
  return isSame ? undefined : { entityId, ssoUrl, certificates };
}

/** By the names of their findings: one that ends, one that follows it, and one in reserve. */
const certificateFields = ['certificates[0]', 'certificates[1]', 'certificates[2]'] as const;

/** Text that is taken as it is, from a file too. */
const asIs = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent<HTMLTextAreaElement>) => void takeDropped(event),
};

interface PartsProps extends SamlProps {
  readonly errorOf: ErrorOf;
}

function Parts({ connection: { issuer }, saml, errorOf }: PartsProps) {
  const { saml: words } = useWords(connectionWords);
  const [count, setCount] = useState(1);
  const line = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (
    <>
      <TextField
        {...{ name: 'entityId', ...line }}
        label={words.issuer}
        defaultValue={issuer ?? ''}
        error={errorOf('entityId', words.entityIdUnusable)}
      />
      <TextField
        {...{ name: 'ssoUrl', inputMode: 'url', ...line }}
        label={words.signInAddress}
        defaultValue={saml.ssoUrl ?? ''}
        error={errorOf('ssoUrl', words.ssoUrlUnusable)}
      />
      {certificateFields.slice(0, count).map((field, n) => (
        <TextArea
          key={field}
          {...{ name: field, rows: 3, ...asIs }}
          label={words.certificateField(n)}
          hint={words.certificateHint}
          autoFocus={n > 0}
          error={
            errorOf(field, words.certificateUnusable) ??
            (n === 0 ? errorOf('certificates', words.certificateUnusable) : undefined)
          }
        />
      ))}
      {count < certificateFields.length && (
        <div>
          <Button kind="plain" onClick={() => setCount(count + 1)}>
            {words.another}
          </Button>
        </div>
      )}
    </>
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
