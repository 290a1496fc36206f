import { ButtonLink } from '../../design/button.tsx';
import { useFormats, useWords } from '../../design/language.ts';
import { Row } from '../../design/page.tsx';
import { useAllFailureWords } from '../../failures/use-failure-words.ts';
import { leadTexts } from '../lead-texts.ts';
import { leadWords } from '../leads.words.ts';
import type { BadRow } from './checked-file.ts';
import { importWords } from './import.words.ts';
import { reportOf } from './portions.ts';
import styles from './refused-rows.module.css';

const shownMax = 20;

/** Rows that are left out: where they are, and why; all of them as a file to correct. */
export function RefusedRows({ rows }: { readonly rows: readonly BadRow[] }) {
  const { check: words, report } = useWords(importWords);
  const { lead } = useWords(leadWords);
  const { rules, notAccepted } = useAllFailureWords();
  const formats = useFormats();
  const nameOf = (field: string): string => {
    const known = leadTexts.find((each) => each === field);
    return known ? lead.fields[known] : field;
  };
  const reasonOf = ({ rule, limit }: BadRow['findings'][number]): string => {
    const known: Partial<Record<string, (params: { limit?: number }) => string>> = rules;
    return known[rule]?.(limit === undefined ? {} : { limit }) ?? notAccepted;
  };
  const text = () => reportOf(rows, { ...report, nameOf, reasonOf });
  return (
    <>
      <ul className={styles['rows']}>
        {rows.slice(0, shownMax).map(({ line, lead: cells, findings }) => (
          <li key={line} className={styles['row']}>
            <span className={styles['line']}>{words.line(formats.number(line))}</span>
            <bdi className={styles['name']}>{(cells.name ?? cells.email ?? '').slice(0, 80)}</bdi>
            <span>
              {findings.map((finding) => `${nameOf(finding.field)}: ${reasonOf(finding)}`).join(' ')}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > shownMax && <p>{words.more(formats.number(rows.length - shownMax))}</p>}
      <Row>
        <ButtonLink
          href="#"
          download={report.file}
          onClick={({ currentTarget }) => {
            const file = URL.createObjectURL(new Blob([text()], { type: 'text/csv;charset=utf-8' }));
            currentTarget.href = file;
            setTimeout(() => URL.revokeObjectURL(file), 60_000);
          }}
        >
          {words.report}
        </ButtonLink>
      </Row>
    </>
  );
}
