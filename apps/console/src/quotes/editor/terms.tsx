import { quotableCurrencies } from '@tenantry/money';
import { TextField } from '../../design/field.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { parseDecimal } from '../../design/decimals.ts';
import { useLanguage, useWords } from '../../design/language.ts';
import { NumberField } from '../../design/number-field.tsx';
import { ConflictNotices } from './conflict-notices.tsx';
import { isBlank, type Draft } from './draft.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import type { Conflict } from './merge.ts';
import { problemsOfHead } from './reading.ts';
import type { Saver } from './saver.ts';
import { useProblemText } from './use-problem-text.ts';

interface TermsProps {
  readonly saver: Saver;
  readonly draft: Draft;
  readonly conflicts: readonly Conflict[];
}

/** Until when a quote is valid, in which currency it is, and what VAT is added: beside it where there is room. */
export function Terms({ saver, draft, conflicts }: TermsProps) {
  const words = useWords(editorWords);
  const [language, textOf] = [useLanguage(), useProblemText()];
  const problems = problemsOfHead(draft, language);
  const { validUntil, currency, vatRate, vatExemptionReason } = draft;
  const isFixed = draft.packages.some(({ lines }) => !lines.every(isBlank));
  const type = (name: 'validUntil' | 'currency' | 'vatExemptionReason') => ({
    name,
    error: textOf(problems[name]),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      saver.edit((before) => ({ ...before, [name]: target.value })),
  });
  const about = ['validUntil', 'currency', 'vatRate', 'vatExemptionReason'];
  const names: Readonly<Record<string, string>> = {
    validUntil: words.validUntil,
    currency: words.currency,
  };
  return (
    <section className={styles['terms']} aria-label={words.terms}>
      <TextField {...type('validUntil')} label={words.validUntil} value={validUntil} type="date" required />
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
      <NumberField
        {...{ name: 'vatRate', label: words.vatRate, required: true, text: vatRate, words }}
        error={textOf(problems.vatRate)}
        onType={(text) => saver.edit((before) => ({ ...before, vatRate: text }))}
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
        label={(field) => names[field] ?? words.vatRate}
      />
    </section>
  );
}
