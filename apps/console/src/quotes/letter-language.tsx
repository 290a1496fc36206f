import { useCustomer } from '../customers/customers.queries.ts';
import { SelectField } from '../design/select-field.tsx';
import { languageFor, languageNames, languages, useLanguage, type Language } from '../design/language.ts';

/** The language of what a customer reads: the one that is remembered for them, or else that of the reader. */
export function useCustomerLanguage(customerId: string): {
  readonly language: Language;
  readonly isPending: boolean;
} {
  const { data, isPending } = useCustomer(customerId);
  const reading = useLanguage();
  return { language: data?.customer.language ?? reading, isPending };
}

interface LetterLanguageProps {
  readonly customerId: string;
  /** What was chosen for this letter. */
  readonly chosen: Language | undefined;
  readonly onChoose: (language: Language) => void;
  readonly words: { readonly language: string };
  readonly error?: string | undefined;
}

/**
 * The language of a letter: the one that is remembered for its customer, or else that of the reader. Until the customer is
 * read, nothing is chosen, and the API takes what it remembers.
 */
export function LetterLanguage({ customerId, chosen, onChoose, words, error }: LetterLanguageProps) {
  const { language: remembered, isPending } = useCustomerLanguage(customerId);
  return (
    <SelectField
      name="language"
      disabled={isPending}
      value={chosen ?? remembered}
      onChange={({ target }) => onChoose(languageFor([target.value]))}
      label={words.language}
      error={error}
    >
      {languages.map((language) => (
        <option key={language} value={language}>
          {languageNames[language]}
        </option>
      ))}
    </SelectField>
  );
}
