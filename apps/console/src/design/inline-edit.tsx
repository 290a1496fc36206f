import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './button.tsx';
import field from './field.module.css';
import { Icon } from './icon.tsx';
import styles from './inline-edit.module.css';
import area from './text-area.module.css';

interface InlineEditProps {
  readonly label: string;
  readonly value: string;
  /** Shown while not editing; by default the value. */
  readonly shown?: ReactNode;
  /** The unsaved input; undefined while not editing. */
  readonly draft: string | undefined;
  readonly onDraft: (text: string | undefined) => void;
  readonly onSave: (text: string) => void;
  readonly isBusy?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  /** What is wrong with it. */
  readonly error?: string | undefined;
  readonly kind?: 'text' | 'email' | 'tel' | 'lines';
  readonly words: {
    readonly none: string;
    readonly edit: (label: string) => string;
    readonly save: string;
    readonly cancel: string;
  };
}

/** A text that is edited in place: Enter saves it, Escape cancels. */
export function InlineEdit(props: InlineEditProps) {
  const { label, value, shown = value, draft, onDraft, isReadOnly = false, words } = props;
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  const isEdited = draft !== undefined && !isReadOnly;
  useEffect(() => {
    if (!isEdited && wasEdited.current) button.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited) return <Editing {...props} draft={draft} />;
  return (
    <div className={styles['field']}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['shown']}>
        {value === '' ? <span className={styles['none']}>{words.none}</span> : shown}
      </span>
      {!isReadOnly && (
        <button
          ref={button}
          type="button"
          className={styles['edit']}
          aria-label={words.edit(label)}
          onClick={() => onDraft(value)}
        >
          <Icon name="edit" />
        </button>
      )}
    </div>
  );
}

function Editing({
  label,
  value,
  draft,
  onDraft,
  onSave,
  isBusy,
  error,
  kind = 'text',
  words,
}: EditingProps) {
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  const save = () => (draft.trim() === value ? onDraft(undefined) : onSave(draft));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onDraft(undefined);
    else if (event.key !== 'Enter' || (kind === 'lines' && !event.ctrlKey && !event.metaKey)) return;
    else save();
    event.preventDefault();
    event.stopPropagation();
  };
  const control = {
    id,
    ref: input,
    value: draft,
    onKeyDown,
    readOnly: isBusy,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onDraft(target.value),
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  };
  return (
    <div className={styles['editing']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {kind === 'lines' ? (
        <textarea {...control} rows={4} className={`${field['input']} ${area['area']}`} />
      ) : (
        <input {...control} type={kind} autoComplete="off" className={field['input']} />
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={field['error']}>
          {error}
        </p>
      )}
      <div className={styles['buttons']}>
        <Button kind="primary" isBusy={isBusy === true} onClick={save}>
          {words.save}
        </Button>
        <Button onClick={() => onDraft(undefined)}>{words.cancel}</Button>
      </div>
    </div>
  );
}

type EditingProps = InlineEditProps & { readonly draft: string };
