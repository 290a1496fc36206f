import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { TextArea } from '../../design/text-area.tsx';
import { Form } from '../../design/form.tsx';
import { useWords, type Language } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Row } from '../../design/page.tsx';
import { Failure, useProblem } from '../../failures/failure.tsx';
import { letterOf } from '../letter.ts';
import { LetterLanguage, useCustomerLanguage } from '../letter-language.tsx';
import { Preview } from '../preview.tsx';
import { useSendQuote } from '../quotes.queries.ts';
import { amissWith } from './amiss.ts';
import { AmissList } from './amiss-list.tsx';
import type { Draft } from './draft.ts';
import { editorWords } from './editor.words.ts';
import type { Progress } from './progress.ts';
import styles from './editor.module.css';

interface SendDialogProps {
  readonly quote: api.Quote;
  readonly draft: Draft;
  readonly total: number;
  readonly sender: api.Organization;
  readonly progress: Progress;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** Before a quote is sent: to whom, with which words, how it will look, and what is amiss. */
export function SendDialog({ quote, draft, total, sender, progress, etag, onClose }: SendDialogProps) {
  const { sending: words } = useWords(editorWords);
  const send = useSendQuote(quote.id);
  const problem = useProblem(send.error);
  const [now] = useState(() => Date.now());
  const [chosen, choose] = useState<Language>();
  const { language } = useCustomerLanguage(draft.customer.id);
  const isSaved = progress.kind === 'saved';
  return (
    <Dialog title={words.title(quote.number)} onClose={onClose} isWide>
      {(close) => (
        <div className={styles['sending']}>
          <Form
            sends={send}
            onSubmit={(values) => {
              if (isSaved) send.mutate(letterOf(values));
            }}
          >
            <AmissList findings={amissWith({ draft, total, sender, now })} onClose={close} />
            {send.error !== null && <Failure error={send.error} />}
            {!isSaved && (
              <Notice kind="problem">
                <p>{words.unsaved}</p>
              </Notice>
            )}
            <TextField
              name="recipientEmail"
              required
              type="email"
              autoComplete="off"
              defaultValue={shownEmail(draft.customer.email)}
              label={words.recipient}
              error={problem?.fields['recipientEmail']}
            />
            <LetterLanguage
              customerId={draft.customer.id}
              chosen={chosen}
              onChoose={choose}
              words={words}
              error={problem?.fields['language']}
            />
            <TextArea
              name="message"
              rows={4}
              label={words.message}
              hint={words.messageHint}
              error={problem?.fields['message']}
            />
            <p className={styles['hints']}>{words.after}</p>
            <Row>
              <Button type="submit" kind="primary" isBusy={send.isPending || !isSaved}>
                {words.submit}
              </Button>
              <Button onClick={close}>{words.cancel}</Button>
            </Row>
          </Form>
          <Preview quoteId={quote.id} language={chosen ?? language} etag={etag} />
        </div>
      )}
    </Dialog>
  );
}
