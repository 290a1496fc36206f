import { PlainForm, type PlainFormProps } from './plain-form.tsx';
import { useTypedForm, type Sending } from './use-unsaved.ts';

interface FormProps extends Omit<PlainFormProps, 'onInput'> {
  /** What sends it; a refusal is by default its error. */
  readonly sends: Sending;
  /** What was typed in it before is in it again. */
  readonly isBegun?: boolean;
  /** Somebody has left without saving. */
  readonly onDiscard?: () => void;
}

/** A form that asks before the user leaves its page, or closes its dialog, with unsaved changes. */
export function Form({ sends, refusal = sends.error, isBegun = false, onDiscard, ...form }: FormProps) {
  const onInput = useTypedForm({ sends, isBegun, onDiscard });
  return <PlainForm {...form} refusal={refusal} onInput={onInput} />;
}
