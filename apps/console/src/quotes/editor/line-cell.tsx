import type { DraftLine, LineField } from './draft.ts';
import styles from './editor.module.css';

interface LineCellProps {
  readonly field: LineField;
  readonly line: DraftLine;
  readonly label: string;
  /** What it is called where there is no room for titles of columns. */
  readonly name: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly onType: (field: LineField, text: string) => void;
}

const isNumber = (field: LineField): boolean => field === 'quantity' || field === 'unitPrice';

/** A field of a line. */
export function LineCell({ field, line, label, name, isWrong, describedBy, onType }: LineCellProps) {
  const control = {
    name: field,
    value: line[field],
    'aria-label': label,
    placeholder: name,
    autoComplete: 'off',
    'aria-invalid': isWrong || undefined,
    'aria-describedby': isWrong ? describedBy : undefined,
    className: `${styles['cell']} ${styles[field]}`,
  };
  if (field === 'description') {
    return <textarea {...control} rows={1} onChange={({ target }) => onType(field, target.value)} />;
  }
  return (
    <input
      {...control}
      inputMode={isNumber(field) ? 'decimal' : undefined}
      onChange={({ target }) => onType(field, target.value)}
    />
  );
}
