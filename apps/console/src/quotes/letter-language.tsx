import { useState } from 'react';
import { useCustomer } from '../customers/customers.queries.ts';
import { SelectField } from '../design/select-field.tsx';
import { languageFor, languages, useLanguage, type Language } from '../design/language.ts';

interface LetterLanguageProps {
  readonly customerId: string;
  readonly words: { readonly language: string; readonly languages: Readonly<Record<string, string>> };
  readonly error?: string | undefined;
}

/**
 * The language of a letter: the one that is remembered for its customer, or else that of the reader. Until the customer is
 * read, nothing is chosen, and the API takes what it remembers.
 */
export function LetterLanguage({ customerId, words, error }: LetterLanguageProps) {
  const customer = useCustomer(customerId);
  const reading = useLanguage();
  const [chosen, choose] = useState<Language>();
  return (
    <SelectField
      name="language"
      disabled={customer.isPending}
      value={chosen ?? customer.data?.customer.language ?? reading}
      onChange={({ target }) => choose(languageFor([target.value]))}
      label={words.language}
      error={error}
    >
      {languages.map((language) => (
        <option key={language} value={language}>
          {words.languages[language]}
        </option>
      ))}
    </SelectField>
  );
}
