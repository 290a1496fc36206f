import { quotableCurrencies, type Totals } from '@tenantry/money';
import { TextField } from '../../design/field.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { TotalsList } from '../totals-list.tsx';
import { ConflictNotices } from './conflict-notices.tsx';
import { parseDecimal } from './decimals.ts';
import { isBlank, type Draft } from './draft.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import type { Conflict } from './merge.ts';
import { problemsOfHead } from './reading.ts';
import type { Saver } from './saver.ts';
import { useProblemText } from './use-problem-text.ts';

interface TotalsEditorProps {
  readonly saver: Saver;
  readonly draft: Draft;
  readonly totals: Totals;
  readonly conflicts: readonly Conflict[];
}

/** What a quote comes to, and what VAT is added. */
export function TotalsEditor({ saver, draft, totals, conflicts }: TotalsEditorProps) {
  const words = useWords(editorWords);
  const [language, textOf] = [useLanguage(), useProblemText()];
  const problems = problemsOfHead(draft, language);
  const { currency, vatRate, vatExemptionReason } = draft;
  const isFixed = draft.packages.some(({ lines }) => !lines.every(isBlank));
  const type = (name: 'currency' | 'vatRate' | 'vatExemptionReason') => ({
    name,
    error: textOf(problems[name]),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      saver.edit((before) => ({ ...before, [name]: target.value })),
  });
  const about = ['currency', 'vatRate', 'vatExemptionReason'];
  return (
    <div className={styles['bottom']}>
      <div className={styles['terms']}>
        <SelectField
          {...type('currency')}
          label={words.currency}
          value={currency}
          disabled={isFixed}
          hint={isFixed ? words.currencyFixed : undefined}
        >
          {quotableCurrencies.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
        <TextField
          {...type('vatRate')}
          label={words.vatRate}
          value={vatRate}
          required
          inputMode="decimal"
          autoComplete="off"
        />
        {parseDecimal(vatRate, language) === 0 && (
          <TextField
            {...type('vatExemptionReason')}
            label={words.exemption}
            hint={words.exemptionHint}
            value={vatExemptionReason}
            autoComplete="off"
          />
        )}
        <ConflictNotices
          saver={saver}
          conflicts={conflicts.filter(({ at }) => about.includes(at))}
          label={(field) => (field === 'currency' ? words.currency : words.vatRate)}
        />
      </div>
      <TotalsList {...{ totals, currency }} vatRate={vatRate || '0'} />
    </div>
  );
}
