import { useFormats } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { SelectField } from '../design/select-field.tsx';
import type { Findings, Reading } from './choices.ts';
import { useImportWords } from './thing.queries.ts';
import styles from './review-file.module.css';

interface SettingsProps {
  readonly findings: Findings;
  readonly onChange: (changed: Reading) => void;
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'mixed'] as const;
const separators = ['comma', 'semicolon', 'tab', 'pipe'] as const;
const shownCells = 4;

/** How a file was read: each guess can be overruled. */
export function FileSettings({ findings, onChange }: SettingsProps) {
  const { file: words, of } = useImportWords();
  const formats = useFormats();
  const { kind, program, encoding, separator, sheet, sheets, header, first, rows, unsure, mixedFrom } =
    findings;
  const named = (cells: readonly string[]) =>
    cells
      .filter((cell) => cell !== '')
      .slice(0, shownCells)
      .join(', ');
  return (
    <>
      <p role="status">
        {words.found(rows, formats.number(rows))}{' '}
        {program !== null && (program === 'own' ? of.own : words.program[program])}
      </p>
      {unsure.length > 0 && (
        <Notice kind="news">
          {unsure.map((doubt) => (
            <p key={doubt}>{words.unsure[doubt](formats.number(mixedFrom ?? 0))}</p>
          ))}
        </Notice>
      )}
      <div className={styles['settings']}>
        {encoding !== null && (
          <SelectField
            name="encoding"
            label={words.encoding}
            value={encoding}
            onChange={({ target }) =>
              onChange({ encoding: encodings.find((each) => each === target.value) ?? encoding })
            }
          >
            {encodings.map((each) => (
              <option key={each} value={each}>
                {words.encodings[each]}
              </option>
            ))}
          </SelectField>
        )}
        {separator !== null && (
          <SelectField
            name="separator"
            label={words.separator}
            value={separator}
            onChange={({ target }) =>
              onChange({ separator: separators.find((each) => each === target.value) ?? separator })
            }
          >
            {separators.map((each) => (
              <option key={each} value={each}>
                {words.separators[each]}
              </option>
            ))}
          </SelectField>
        )}
        {sheets.length > 1 && (
          <SelectField
            name="sheet"
            label={words.sheet}
            value={sheet ?? ''}
            onChange={({ target }) => onChange({ sheet: target.value })}
          >
            {sheets.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
        )}
        {kind !== 'cards' && (
          <SelectField
            name="header"
            label={words.header}
            value={header}
            onChange={({ target }) => onChange({ header: Number(target.value) })}
          >
            <option value={0}>{of.noHeader}</option>
            {first.map(({ line, cells }) => (
              <option key={line} value={line}>
                {words.row(formats.number(line), named(cells).slice(0, 60))}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </>
  );
}
