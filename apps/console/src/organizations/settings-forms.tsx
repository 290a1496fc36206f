import type { api } from '@tenantry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { formatDecimal, parseDecimal } from '../design/decimals.ts';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Form } from '../design/form.tsx';
import type { Values } from '../design/plain-form.tsx';
import { useLanguage, useWords } from '../design/language.ts';
import { NumberField } from '../design/number-field.tsx';
import { Row } from '../design/page.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import type { Sending } from '../design/use-unsaved.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { currenciesIn } from './choices.ts';
import { useUpdateOrganization } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

interface SettingsFormProps {
  readonly update: Sending & { readonly isPending: boolean };
  readonly onSubmit: (values: Values) => void;
  /** Changes when the form itself refuses something. */
  readonly refusal?: unknown;
  readonly children: ReactNode;
}

/** A part of the settings, which is saved by itself. */
export function SettingsForm({ update, onSubmit, refusal, children }: SettingsFormProps) {
  const words = useWords(settingsWords);
  useDoneToast(update, words.saved);
  return (
    <Form sends={update} refusal={update.error ?? refusal} onSubmit={onSubmit}>
      {update.error !== null && <Failure error={update.error} />}
      {children}
      <Row>
        <Button type="submit" kind="primary" isBusy={update.isPending}>
          {words.save}
        </Button>
      </Row>
    </Form>
  );
}

/** What is changed. */
export interface OrganizationFormProps {
  readonly organization: api.Organization;
}

/** What new quotes begin with. */
export function QuotesForm({ organization: { settings } }: OrganizationFormProps) {
  const { quotes: words } = useWords(settingsWords);
  const language = useLanguage();
  const update = useUpdateOrganization();
  const problem = useProblem(update.error);
  const [rate, setRate] = useState(() => formatDecimal(settings.vatRate, language));
  const [isNotANumber, setNotANumber] = useState(false);
  const [prefix, setPrefix] = useState(settings.quoteNumberPrefix);
  const submit = ({ text }: Values) => {
    const vatRate = parseDecimal(rate, language);
    setNotANumber(vatRate === undefined);
    if (vatRate === undefined) return;
    const [defaultCurrency, quoteNumberPrefix] = [text('currency'), text('prefix').trim().toUpperCase()];
    update.mutate({ settings: { defaultCurrency, vatRate, quoteNumberPrefix } });
  };
  const rateError = isNotANumber ? words.notANumber : problem?.fields['settings.vatRate'];
  return (
    <SettingsForm update={update} onSubmit={submit} refusal={isNotANumber || null}>
      <SelectField
        {...{ name: 'currency', defaultValue: settings.defaultCurrency }}
        label={words.currency}
        error={problem?.fields['settings.defaultCurrency']}
      >
        {currenciesIn(language, settings.defaultCurrency).map(({ code, name }) => (
          <option key={code} value={code}>
            {`${name} (${code})`}
          </option>
        ))}
      </SelectField>
      <NumberField
        {...{ name: 'vatRate', label: words.vatRate, required: true, error: rateError, words }}
        text={rate}
        onType={setRate}
      />
      <TextField
        {...{
          name: 'prefix',
          required: true,
          autoComplete: 'off',
          autoCapitalize: 'characters',
          spellCheck: false,
          maxLength: 10,
        }}
        label={words.prefix}
        hint={words.prefixHint(`${prefix.trim().toUpperCase() || 'Q'}-2026-0001`)}
        value={prefix}
        onChange={({ target }) => setPrefix(target.value)}
        error={problem?.fields['settings.quoteNumberPrefix']}
      />
    </SettingsForm>
  );
}
