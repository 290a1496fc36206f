import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { TextArea } from '../design/text-area.tsx';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import styles from './access.module.css';

/** A text to be copied, and how it is spoken of. */
interface Secret {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly copy: string;
}

interface ShownOnceProps {
  readonly words: Readonly<
    Record<'title' | 'once' | 'copied' | 'uncopied' | 'unsaved' | 'keep' | 'close' | 'done', string>
  >;
  /** The first one is what is shown once; others contain it. */
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}

/** A secret that is shown once: closing asks once if it was not copied. */
export function ShownOnce({ words, secrets, onClose }: ShownOnceProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [first, question] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    (isAsked ? question : first).current?.querySelector('button')?.focus();
  }, [isAsked, first, question]);
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => !isCopied });
  const copied = () => setCopied(true);
  const copyWords = { copied: words.copied, uncopied: words.uncopied };
  const shown = { readOnly: true, rows: 2, spellCheck: false, onFocus: selectAll };
  return (
    <Dialog title={words.title} onClose={() => (isCopied || isAsked ? onClose() : setAsked(true))}>
      {(close) => (
        <>
          <p>{words.once}</p>
          <div ref={first} className={styles['secrets']}>
            {secrets.map(({ name, label, text, copy }, n) => (
              <div key={name} className={styles['secret']} onCopy={copied}>
                <TextArea {...shown} name={name} label={label} value={text} />
                <CopyButton
                  text={text}
                  {...(n === 0 && { kind: 'primary' as const })}
                  words={{ ...copyWords, copy }}
                  onCopied={copied}
                />
              </div>
            ))}
          </div>
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
