import { useNavigate } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useWords } from '../../design/language.ts';
import { Row } from '../../design/page.tsx';
import { Failure } from '../../failures/failure.tsx';
import { useDeleteQuote } from '../quotes.queries.ts';
import { editorWords } from './editor.words.ts';

/** Deleting a draft, once somebody has confirmed it. */
export function DraftMenu({ quote }: { readonly quote: api.Quote }) {
  const words = useWords(editorWords);
  const [isAsked, ask] = useState(false);
  const remove = useDeleteQuote(quote.id);
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/quotes', replace: true, ignoreBlocker: true });
  return (
    <>
      <Button kind="plain" onClick={() => ask(true)}>
        {words.deleteQuote}
      </Button>
      {isAsked && (
        <Dialog title={words.deleting.title} onClose={() => ask(false)}>
          <p>{words.deleting.text}</p>
          {remove.error !== null && <Failure error={remove.error} />}
          <Row>
            <Button
              kind="danger"
              isBusy={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: leave })}
            >
              {words.deleting.confirm}
            </Button>
            <Button onClick={() => ask(false)}>{words.deleting.cancel}</Button>
          </Row>
        </Dialog>
      )}
    </>
  );
}
