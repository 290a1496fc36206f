import { PlainForm, type PlainFormProps } from './plain-form.tsx';
import { useTypedForm, type Sending } from './use-unsaved.ts';

interface FormProps extends Omit<PlainFormProps, 'onInput'> {
  /** The mutation that submits it; its error is shown by default. */
  readonly sends: Sending;
  /** Whether it starts with restored unsaved input. */
  readonly isBegun?: boolean;
  /** The user has left without saving. */
  readonly onDiscard?: () => void;
}

/** A form that asks before the user leaves its page, or closes its dialog, with unsaved changes. */
export function Form({ sends, refusal = sends.error, isBegun = false, onDiscard, ...form }: FormProps) {
  const onInput = useTypedForm({ sends, isBegun, onDiscard });
  return <PlainForm {...form} refusal={refusal} onInput={onInput} />;
}
