interface ColumnTitleProps<Order extends string> {
  readonly title: string;
  /** Whether only screen readers are told its title. */
  readonly isUntitled?: boolean | undefined;
  /** The order that it gives, and the one that it gives when pressed again; a hyphen is for descending. */
  readonly orders?: readonly [Order, Order] | undefined;
  readonly sort: Order | undefined;
  readonly onSort: ((order: Order) => void) | undefined;
  readonly className: string | undefined;
  readonly buttonClassName: string | undefined;
}

/** The title of a column, which sorts by it where it can be sorted. */
export function ColumnTitle<Order extends string>(props: ColumnTitleProps<Order>) {
  const { title, isUntitled = false, orders, sort, onSort, className, buttonClassName } = props;
  if (isUntitled) return <span role="columnheader" aria-label={title} className={className} />;
  if (!orders || !onSort) {
    return (
      <span role="columnheader" className={className}>
        {title}
      </span>
    );
  }
  const [first, second] = orders;
  const isSorted = sort === first || sort === second;
  const isDown = sort?.startsWith('-');
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={buttonClassName}
        onClick={() => onSort(sort === first ? second : first)}
      >
        {title}
        <span aria-hidden="true">{isSorted && (isDown ? ' ↓' : ' ↑')}</span>
      </button>
    </span>
  );
}
