import type { api } from '@tenantry/client';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../design/language.ts';
import { useAllFailureWords } from '../failures/use-failure-words.ts';
import { useImportWords, useThing, type ImportReport } from './thing.queries.ts';
import styles from './checked-rows.module.css';

const shownMax = 20;

/** Rows that something is to be said about: why they are refused, whose duplicates they are, what is odd about them. */
export function CheckedRows({ verdicts }: { readonly verdicts: NonNullable<ImportReport['verdicts']> }) {
  const { check: words, of } = useImportWords();
  const { item } = useThing();
  const formats = useFormats();
  const reasonOf = useReason();
  const told = verdicts.filter(({ as, warnings }) => as !== 'new' || warnings.length > 0);
  if (told.length === 0) return null;
  return (
    <>
      <ul className={styles['rows']}>
        {told.slice(0, shownMax).map(({ line, as, details, warnings, duplicateOf, duplicateOfLine }) => (
          <li key={line} className={styles['row']}>
            <span className={styles['line']}>{words.line(formats.number(line))}</span>
            <span>{words.as[as]}</span>
            <span>
              {details.map((detail) => reasonOf(detail)).join(' ')}
              {duplicateOf !== null && (
                <Link to={item} params={{ id: duplicateOf }} target="_blank">
                  {of.show}
                </Link>
              )}
              {duplicateOfLine !== null && of.ofLine(formats.number(duplicateOfLine))}
              {warnings.map((warning) => ` ${words.warning[warning]}`)}
            </span>
          </li>
        ))}
      </ul>
      {told.length > shownMax && <p>{words.more(formats.number(told.length - shownMax))}</p>}
    </>
  );
}

/** Says why a field is refused, in the reader's language. */
function useReason(): (problem: api.RowProblem) => string {
  const labels = useThing().useLabels();
  const { rules, notAccepted } = useAllFailureWords();
  return ({ field, rule }) => {
    const name = labels[field];
    const known: Partial<Record<string, (params: object) => string>> = rules;
    const reason = known[rule]?.({}) ?? notAccepted;
    return name ? `${name}: ${reason}` : reason;
  };
}
