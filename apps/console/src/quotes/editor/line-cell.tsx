import type { DraftLine, LineField } from './draft.ts';
import styles from './editor.module.css';

interface LineCellProps {
  readonly field: LineField;
  readonly line: DraftLine;
  readonly label: string;
  /** What it is called where there is no room for titles of columns. */
  readonly name: string;
  /** What is wrong with it. */
  readonly problem: string | undefined;
  readonly onType: (field: LineField, text: string) => void;
}

const isNumber = (field: LineField): boolean => field === 'quantity' || field === 'unitPrice';

/** A field of a line, with what is wrong with it below it. */
export function LineCell({ field, line, label, name, problem, onType }: LineCellProps) {
  const problemId = `${line.key}-${field}-problem`;
  const control = {
    name: field,
    value: line[field],
    'aria-label': label,
    placeholder: name,
    autoComplete: 'off',
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : problemId,
    className: styles['cell'],
  };
  return (
    <div className={styles[field]}>
      {field === 'description' ? (
        <textarea
          {...control}
          rows={1}
          data-takes-focus
          onChange={({ target }) => onType(field, target.value)}
        />
      ) : (
        <input
          {...control}
          inputMode={isNumber(field) ? 'decimal' : undefined}
          onChange={({ target }) => onType(field, target.value)}
        />
      )}
      {problem !== undefined && (
        <p id={problemId} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}
