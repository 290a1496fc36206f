import styles from './versions.module.css';

/** A field as somebody else has saved it, and as it was typed here. */
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

/** What two people have made of one thing, side by side. */
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
