import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { TextField } from '../design/field.tsx';
import { languageNames, languages, useWords } from '../design/language.ts';
import type { Values } from '../design/plain-form.tsx';
import { SelectField } from '../design/select-field.tsx';
import { TextArea } from '../design/text-area.tsx';
import { useProblem } from '../failures/failure.tsx';
import type { CustomerField } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';

/** How a field is typed; one that the service knows and this table does not does not compile. */
const kinds: Readonly<Record<CustomerField, 'text' | 'email' | 'lines' | 'language'>> = {
  name: 'text',
  email: 'email',
  address: 'lines',
  vatNumber: 'text',
  language: 'language',
};

export const customerFields = Object.keys(kinds) as readonly CustomerField[];

interface CustomerInputsProps {
  /** Undefined: a new one. */
  readonly customer?: api.Customer;
  readonly error: unknown;
}

/** What is known of a customer, as it is typed. */
export function CustomerInputs({ customer, error }: CustomerInputsProps) {
  const { details: words } = useWords(customerWords);
  const problem = useProblem(error);
  return customerFields.map((name) => {
    const field = { name, label: words[name], error: problem?.fields[name] };
    if (kinds[name] === 'language') {
      return (
        <SelectField key={name} {...field} defaultValue={customer?.[name] ?? ''}>
          <option value="">{words.noLanguage}</option>
          {languages.map((language) => (
            <option key={language} value={language}>
              {languageNames[language]}
            </option>
          ))}
        </SelectField>
      );
    }
    const control = { ...field, autoComplete: 'off', defaultValue: shown(name, customer?.[name]) };
    if (kinds[name] === 'lines') return <TextArea key={name} {...control} rows={3} />;
    const isFirst = name === 'name';
    return (
      <TextField
        key={name}
        {...control}
        type={kinds[name]}
        required={name === 'name' && customer === undefined}
        autoFocus={isFirst}
        data-keeps-focus={isFirst || undefined}
      />
    );
  });
}

/** What was typed; null where nothing was. */
export function typedCustomer({ text }: Values): Required<api.CustomerChanges> & { readonly name: string } {
  const typed = (name: CustomerField) => text(name).trim() || null;
  return {
    name: text('name'),
    email: typed('email'),
    address: typed('address'),
    vatNumber: typed('vatNumber'),
    language: languages.find((known) => known === text('language')) ?? null,
  };
}

/** A field as people read it. */
export function shown(name: CustomerField, value: string | null | undefined): string {
  const language = languages.find((known) => name === 'language' && known === value);
  if (language) return languageNames[language];
  return name === 'email' ? shownEmail(value ?? '') : (value ?? '');
}
