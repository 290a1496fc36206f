import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { useRecipients, type Recipient } from '../customers/customers.queries.ts';
import { Combobox } from '../design/combobox.tsx';
import { folded } from '../design/folded.ts';
import { useWords } from '../design/language.ts';
import { quoteWords } from './quotes.words.ts';
import { uuidOf } from './uuid.ts';

interface CustomerFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Whom it is for by now. */
  readonly name: string;
  readonly onChoose: (recipient: Recipient) => void;
  readonly autoFocus?: boolean;
}

const newKey = 'new';

/** Whom a quote is for: a customer, a lead, or somebody new. */
export function CustomerField({ label, hint, error, name, onChoose, autoFocus = false }: CustomerFieldProps) {
  const { customers: words } = useWords(quoteWords);
  const [typed, setTyped] = useState<string>();
  const text = (typed ?? '').trim();
  const { found, isCurrent } = useRecipients(text);
  const known =
    text === ''
      ? []
      : found.filter(
          ({ name, email }) => isCurrent || hasText(`${name} ${email} ${shownEmail(email)}`, text),
        );
  const options = known.map(({ id, name: title, email, kind }) => ({
    key: id,
    title: title || shownEmail(email),
    detail: [kind === 'lead' ? words.lead : words.customer, shownEmail(email)]
      .filter((part) => part !== '')
      .join(' · '),
  }));
  const addition = { key: newKey, title: words.add(text), detail: words.addHint };
  function choose(key: string) {
    const recipient = known.find(({ id }) => id === key);
    const id = () => uuidOf(crypto.getRandomValues(new Uint8Array(16)));
    onChoose(recipient ?? { id: id(), name: text, email: '', kind: 'new' });
    setTyped(undefined);
  }
  return (
    <Combobox
      {...{ name: 'customer', label, hint, error, autoFocus }}
      required
      text={typed ?? name}
      onType={setTyped}
      options={text === '' ? [] : [...options, addition]}
      onChoose={choose}
    />
  );
}

/** Whether what was found for a text before has the one that is typed now. */
const hasText = (found: string, text: string): boolean => folded(found).includes(folded(text));
