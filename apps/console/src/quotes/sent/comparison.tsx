import type { api } from '@tenantry/client';
import { Button } from '../../design/button.tsx';
import { useFormats, useLanguage, useWords } from '../../design/language.ts';
import { useMoney } from '../../design/money.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { Failure } from '../../failures/failure.tsx';
import sheet from '../quote-sheet.module.css';
import { useQuote } from '../quotes.queries.ts';
import { unitPriceFormat } from '../unit-price.ts';
import { differencesOf, type Difference } from './differences.ts';
import styles from './sent.module.css';
import { sentWords } from './sent.words.ts';

interface ComparisonProps {
  readonly quote: api.Quote;
  readonly otherId: string;
  readonly onClose: () => void;
}

/** Two revisions side by side, the older one first, with what differs marked. */
export function Comparison({ quote, otherId, onClose }: ComparisonProps) {
  const { comparison: words } = useWords(sentWords);
  const other = useQuote(otherId);
  if (other.isError) return <Failure error={other.error} onRetry={() => void other.refetch()} />;
  if (!other.data) return <Skeleton label={words.close} lines={4} />;
  const both = [quote, other.data.quote].toSorted((one, two) => one.revision - two.revision);
  const [before = quote, after = quote] = both;
  const title = words.title(before.revision, after.revision);
  return (
    <section className={styles['panel']} aria-label={title}>
      <div className={styles['bar']}>
        <h2>{title}</h2>
        <Button onClick={onClose}>{words.close}</Button>
      </div>
      <ComparisonTable before={before} after={after} />
    </section>
  );
}

interface Pair {
  readonly before: api.Quote;
  readonly after: api.Quote;
}

function ComparisonTable({ before, after }: Pair) {
  const words = useWords(sentWords);
  const { comparison } = words;
  const money = useMoney();
  const texts = [
    [comparison.titleRow, before.title, after.title],
    [comparison.descriptionRow, before.description, after.description],
  ] as const;
  return (
    <table className={sheet['table']}>
      <thead>
        <tr>
          <th scope="col">{comparison.item}</th>
          <th scope="col">{words.revision(before.revision)}</th>
          <th scope="col">{words.revision(after.revision)}</th>
        </tr>
      </thead>
      <tbody>
        {texts
          .filter(([, old, now]) => old !== now)
          .map(([name, old, now]) => (
            <tr key={name} data-kind="changed">
              <th scope="row">
                {name} <Mark kind="changed" />
              </th>
              <td className={styles['before']}>{old || comparison.absent}</td>
              <td className={styles['after']}>{now || comparison.absent}</td>
            </tr>
          ))}
        {differencesOf(before, after).map((difference, index) => (
          <DifferenceRow
            key={difference.after?.id ?? difference.before?.id ?? index}
            difference={difference}
            currency={after.currency}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{comparison.total}</th>
          <td>{money(before.totalAmount, before.currency)}</td>
          <td>{money(after.totalAmount, after.currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

interface DifferenceRowProps {
  readonly difference: Difference;
  readonly currency: string;
}

function DifferenceRow({ difference, currency }: DifferenceRowProps) {
  const { comparison } = useWords(sentWords);
  const { kind, packageName, before, after } = difference;
  return (
    <tr data-kind={kind}>
      <th scope="row">
        {packageName} {kind !== 'same' && <Mark kind={kind} />}
      </th>
      <td className={kind === 'same' ? undefined : styles['before']}>
        {before ? <LineText line={before} currency={currency} /> : comparison.absent}
      </td>
      <td className={kind === 'same' ? undefined : styles['after']}>
        {after ? <LineText line={after} currency={currency} /> : comparison.absent}
      </td>
    </tr>
  );
}

function Mark({ kind }: Pick<Difference, 'kind'>) {
  const { comparison } = useWords(sentWords);
  return <span className={styles['mark']}>{comparison.kinds[kind]}</span>;
}

function LineText({ line, currency }: { readonly line: api.LineItem; readonly currency: string }) {
  const [formats, money, language] = [useFormats(), useMoney(), useLanguage()];
  const { description, quantity, unit, unitPrice, totalPrice } = line;
  const [amount, total] = [formats.number(quantity), money(totalPrice, currency)];
  const price = unitPriceFormat(language, currency)(unitPrice);
  return (
    <>
      {description}
      <span className={styles['sum']}>{`${amount} ${unit} × ${price} = ${total}`}</span>
    </>
  );
}
