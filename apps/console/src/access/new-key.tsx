import type { api } from '@tenantry/client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { TextArea } from '../design/text-area.tsx';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import { useSessionStore } from '../sessions/sessions.queries.ts';
import styles from './access.module.css';
import { curlCommand, readableList } from './key-permissions.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

interface NewKeyProps {
  readonly created: api.CreateApiKeyAnswer;
  readonly onClose: () => void;
}

/** A key, which is shown once: closing asks once if it was not copied. */
export function NewKey({ created: { key, apiKey }, onClose }: NewKeyProps) {
  const { shown: words } = useWords(serviceAccountWords);
  const { origin } = useSessionStore();
  const [isCopied, setCopied] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [first, question] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    (isAsked ? question : first).current?.querySelector('button')?.focus();
  }, [isAsked, first, question]);
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => !isCopied });
  const copied = () => setCopied(true);
  const list = readableList(apiKey.permissions);
  const command = list && curlCommand(`${origin}${list}`, key);
  const copyWords = { copied: words.copied, uncopied: words.uncopied };
  const shown = { readOnly: true, rows: 2, spellCheck: false, onFocus: selectAll };
  return (
    <Dialog title={words.title} onClose={() => (isCopied || isAsked ? onClose() : setAsked(true))}>
      {(close) => (
        <>
          <p>{words.once}</p>
          <div ref={first} className={styles['secret']} onCopy={copied}>
            <TextArea {...shown} name="key" label={words.key} value={key} />
            <CopyButton
              text={key}
              kind="primary"
              words={{ ...copyWords, copy: words.copyKey }}
              onCopied={copied}
            />
          </div>
          {command !== undefined && (
            <div className={styles['secret']} onCopy={copied}>
              <TextArea {...shown} name="curl" label={words.curl} value={command} />
              <CopyButton text={command} words={{ ...copyWords, copy: words.copyCurl }} onCopied={copied} />
            </div>
          )}
          {isAsked && !isCopied ? (
            <div ref={question} className={styles['secret']}>
              <Notice kind="problem">{words.unsaved}</Notice>
              <Row>
                <Button onClick={() => setAsked(false)}>{words.keep}</Button>
                <Button kind="danger" onClick={onClose}>
                  {words.close}
                </Button>
              </Row>
            </div>
          ) : (
            <Row>
              <Button onClick={close}>{words.done}</Button>
            </Row>
          )}
        </>
      )}
    </Dialog>
  );
}

const selectAll = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
  currentTarget.select();
