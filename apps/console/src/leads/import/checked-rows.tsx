import type { api } from '@tenantry/client';
import { Link } from '@tanstack/react-router';
import { useFormats, useWords } from '../../design/language.ts';
import { useAllFailureWords } from '../../failures/use-failure-words.ts';
import { leadTexts } from '../lead-texts.ts';
import { leadWords } from '../leads.words.ts';
import { importWords } from './import.words.ts';
import styles from './checked-rows.module.css';

const shownMax = 20;

/** Rows that something is to be said about: why they are refused, whose duplicates they are, what is odd about them. */
export function CheckedRows({ verdicts }: { readonly verdicts: readonly api.LeadRowVerdict[] }) {
  const { check: words } = useWords(importWords);
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
                <Link to="/leads/{-$id}" params={{ id: duplicateOf }} target="_blank">
                  {words.ofLead}
                </Link>
              )}
              {duplicateOfLine !== null && words.ofLine(formats.number(duplicateOfLine))}
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
export function useReason(): (problem: api.RowProblem) => string {
  const { lead } = useWords(leadWords);
  const { rules, notAccepted } = useAllFailureWords();
  return ({ field, rule }) => {
    const name = leadTexts.find((each) => each === field);
    const known: Partial<Record<string, (params: object) => string>> = rules;
    const reason = known[rule]?.({}) ?? notAccepted;
    return name ? `${lead.fields[name]}: ${reason}` : reason;
  };
}
