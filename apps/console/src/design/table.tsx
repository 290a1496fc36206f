import type { ComponentProps, ReactNode } from 'react';
import { ColumnTitle } from './column-title.tsx';
import rowLinkStyles from './row-link.module.css';
import styles from './table.module.css';

/** A column: how it is called, and how it sorts. */
export interface Column<Order extends string> {
  readonly name: string;
  readonly title: string;
  /** The order that its title gives, and the one of a second press; none where it cannot be sorted. */
  readonly orders?: readonly [Order, Order];
  readonly isAtEnd?: boolean;
  /** Whether only screen readers are told its title: of a column of buttons. */
  readonly isUntitled?: boolean;
}

interface TableHeadProps<Order extends string> {
  readonly columns: readonly Column<Order>[];
  /** The classes of rows and cells by their columns, which a feature lays out by the room that there is. */
  readonly layout: Readonly<Record<string, string | undefined>>;
  readonly sort?: Order | undefined;
  readonly onSort?: (order: Order) => void;
}

interface TableProps<Order extends string> extends TableHeadProps<Order> {
  readonly label: string;
  /** Rows: {@link TableRow}. */
  readonly children: ReactNode;
}

/** Things one below the other, with a title over each column. */
export function Table<Order extends string>({ label, children, ...head }: TableProps<Order>) {
  return (
    <div role="table" aria-label={label} className={styles['frame']}>
      <TableHead {...head} />
      <div role="rowgroup" className={styles['body']}>
        {children}
      </div>
    </div>
  );
}

/** The titles of the columns of a table that draws its rows itself. */
export function TableHead<Order extends string>(
  props: TableHeadProps<Order> & { readonly rowIndex?: number },
) {
  const { columns, layout, sort, onSort, rowIndex } = props;
  return (
    <div role="rowgroup">
      <div
        role="row"
        aria-rowindex={rowIndex}
        className={`${styles['row']} ${styles['header']} ${layout['row']} ${layout['header'] ?? ''}`}
      >
        {columns.map((column) => (
          <ColumnTitle
            key={column.name}
            {...{ ...column, sort, onSort }}
            className={`${layout[column.name]} ${column.isAtEnd === true ? styles['end'] : ''}`}
            buttonClassName={styles['sort']}
          />
        ))}
      </div>
    </div>
  );
}

interface TableRowProps extends ComponentProps<'div'> {
  readonly className: string | undefined;
  /** Cells: {@link Cell}. */
  readonly children: ReactNode;
}

/** A row, which is pressed for its link of the class {@link rowLink}. */
export function TableRow({ className, children, ...row }: TableRowProps) {
  return (
    <div {...row} role="row" className={`${styles['row']} ${className}`}>
      {children}
    </div>
  );
}

/** The class of the link of a row. */
export const rowLink = rowLinkStyles['link'] ?? '';

interface CellProps {
  readonly className: string | undefined;
  readonly isQuiet?: boolean;
  readonly isAtEnd?: boolean;
  readonly children: ReactNode;
}

/** A cell of a row. */
export function Cell({ className, isQuiet = false, isAtEnd = false, children }: CellProps) {
  const looks = [className, isQuiet && styles['quiet'], isAtEnd && styles['end']];
  return (
    <span role="cell" className={looks.filter(Boolean).join(' ')}>
      {children}
    </span>
  );
}
