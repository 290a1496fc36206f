import styles from './versions.module.css';

/** A field as saved by another user, and as entered here. */
export interface VersionsRow {
  readonly field: string;
  readonly now: string;
  readonly yours: string;
}

interface VersionsProps {
  /** What the columns are called. */
  readonly columns: VersionsRow;
  readonly rows: readonly VersionsRow[];
}

/** Two versions of one thing, side by side. */
export function Versions({ columns, rows }: VersionsProps) {
  return (
    <table className={styles['versions']}>
      <thead>
        <tr>
          <th scope="col">{columns.field}</th>
          <th scope="col">{columns.now}</th>
          <th scope="col">{columns.yours}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, now, yours }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{now}</td>
            <td>{yours}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
