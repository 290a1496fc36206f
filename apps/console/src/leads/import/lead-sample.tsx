import { useFormats, useWords } from '../../design/language.ts';
import { leadTexts } from '../lead-texts.ts';
import { leadWords } from '../leads.words.ts';
import type { Findings } from './choices.ts';
import { importWords } from './import.words.ts';
import styles from './review-file.module.css';

/** The leads that the first rows of a file would become. */
export function LeadSample({ rows }: { readonly rows: Findings['sample'] }) {
  const { sample: words, check } = useWords(importWords);
  const { lead: leadsWords } = useWords(leadWords);
  const formats = useFormats();
  return (
    <ul className={styles['sample']}>
      {rows.map(({ line, lead, warnings }) => (
        <li key={line}>
          <span className={styles['line']}>{check.line(formats.number(line))}</span>
          <dl>
            {leadTexts
              .filter((field) => lead[field] !== null || field === 'name' || field === 'email')
              .map((field) => (
                <div key={field}>
                  <dt>{leadsWords.fields[field]}</dt>
                  <dd>
                    {lead[field] === null ? <em>{words.none}</em> : <bdi>{lead[field].slice(0, 300)}</bdi>}
                  </dd>
                </div>
              ))}
          </dl>
          {warnings.map((warning) => (
            <p key={warning} className={styles['warning']}>
              {check.warning[warning]}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
