import type { api } from '@tenantry/client';
import { useState } from 'react';
import { shownEmail } from '@tenantry/text';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { TextArea } from '../../design/text-area.tsx';
import { Form } from '../../design/form.tsx';
import { useWords, type Language } from '../../design/language.ts';
import { Row } from '../../design/page.tsx';
import { Failure, useProblem } from '../../failures/failure.tsx';
import { letterOf } from '../letter.ts';
import { LetterLanguage } from '../letter-language.tsx';
import { useAcceptQuote, useDeliveries, useRejectQuote, useResendQuote } from './sent.queries.ts';
import { sentWords } from './sent.words.ts';

interface ActionDialogProps {
  readonly quote: api.Quote;
  readonly onClose: () => void;
}

/** Mailing a quote once more, to whom it was mailed last unless somebody says otherwise. */
export function ResendDialog({ quote, onClose }: ActionDialogProps) {
  const { resend: words } = useWords(sentWords);
  const resend = useResendQuote(quote.id);
  const problem = useProblem(resend.error);
  const { data: deliveries = [] } = useDeliveries(quote);
  const [chosen, choose] = useState<Language>();
  const mailedTo = deliveries[0]?.recipientEmail ?? quote.customerEmail ?? '';
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form sends={resend} onSubmit={(values) => resend.mutate(letterOf(values), { onSuccess: onClose })}>
        {resend.error !== null && <Failure error={resend.error} />}
        <TextField
          name="recipientEmail"
          required
          type="email"
          autoComplete="off"
          defaultValue={shownEmail(mailedTo)}
          label={words.recipient}
          error={problem?.fields['recipientEmail']}
        />
        <LetterLanguage
          customerId={quote.customerId}
          chosen={chosen}
          onChoose={choose}
          words={words}
          error={problem?.fields['language']}
        />
        <TextArea name="message" rows={4} label={words.message} error={problem?.fields['message']} />
        <Row>
          <Button type="submit" kind="primary" isBusy={resend.isPending}>
            {words.submit}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </Row>
      </Form>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly url: string;
  readonly onClose: () => void;
}

/** A link to copy by hand, where the browser does not let the page do it. */
export function LinkDialog({ url, onClose }: LinkDialogProps) {
  const { link: words } = useWords(sentWords);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <TextField
        name="url"
        readOnly
        defaultValue={url}
        label={words.label}
        hint={words.hint}
        onFocus={({ target }) => target.select()}
      />
      <Row>
        <Button onClick={onClose}>{words.close}</Button>
      </Row>
    </Dialog>
  );
}

/** Accepting a quote for its customer, once somebody has confirmed it. */
export function AcceptDialog({ quote, onClose }: ActionDialogProps) {
  const { accept: words } = useWords(sentWords);
  const accept = useAcceptQuote(quote.id);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.text}</p>
      {accept.error !== null && <Failure error={accept.error} />}
      <Row>
        <Button
          kind="primary"
          isBusy={accept.isPending}
          onClick={() => accept.mutate(undefined, { onSuccess: onClose })}
        >
          {words.submit}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </Row>
    </Dialog>
  );
}

/** Declining a quote for its customer, with what they said. */
export function RejectDialog({ quote, onClose }: ActionDialogProps) {
  const { reject: words } = useWords(sentWords);
  const reject = useRejectQuote(quote.id);
  const problem = useProblem(reject.error);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form
        sends={reject}
        onSubmit={({ text }) => reject.mutate(text('reason').trim(), { onSuccess: onClose })}
      >
        <p>{words.text}</p>
        {reject.error !== null && <Failure error={reject.error} />}
        <TextArea name="reason" rows={3} label={words.reason} error={problem?.fields['reason']} />
        <Row>
          <Button type="submit" kind="danger" isBusy={reject.isPending}>
            {words.submit}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </Row>
      </Form>
    </Dialog>
  );
}
