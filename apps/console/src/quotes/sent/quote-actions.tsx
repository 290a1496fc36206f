import { useNavigate } from '@tanstack/react-router';
import { mayCall, type api, type OperationId } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { useWords } from '../../design/language.ts';
import { Menu, MenuEntry } from '../../design/menu.tsx';
import { tryToCopy } from '../../design/try-to-copy.ts';
import { useToasts } from '../../design/use-toasts.ts';
import { Failure } from '../../failures/failure.tsx';
import { useSignedIn } from '../../sessions/sessions.queries.ts';
import { actionsFor, isNextStep, type QuoteAction } from './actions.ts';
import { AcceptDialog, LinkDialog, RejectDialog, ResendDialog } from './action-dialogs.tsx';
import { useCreateContract, useCreateLink, useDuplicateQuote, useReviseQuote } from './sent.queries.ts';
import styles from './sent.module.css';
import { sentWords } from './sent.words.ts';

interface QuoteActionsProps {
  readonly quote: api.Quote;
  readonly isPdfShown: boolean;
  readonly onPdf: () => void;
  /** Once the contract is made. */
  readonly onContract: () => void;
}

const operations: Readonly<Record<QuoteAction, OperationId>> = {
  resend: 'resendQuote',
  link: 'createQuoteLink',
  revise: 'reviseQuote',
  duplicate: 'duplicateQuote',
  accept: 'acceptQuote',
  reject: 'rejectQuote',
  contract: 'createContract',
};

/** How many buttons stand in a row; the others open below the last one. */
const shownMax = 2;

/** What can be done with a quote that was sent, by whoever may. */
export function QuoteActions({ quote, isPdfShown, onPdf, onContract }: QuoteActionsProps) {
  const { actions: words, link: linkWords } = useWords(sentWords);
  const { permissions } = useSignedIn();
  const [asked, ask] = useState<QuoteAction>();
  const revise = useReviseQuote(quote.id);
  const duplicate = useDuplicateQuote(quote.id);
  const makeContract = useCreateContract(quote.id);
  const makeLink = useCreateLink(quote.id);
  const [uncopied, setUncopied] = useState<string>();
  const toasts = useToasts();
  const [now] = useState(() => Date.now());
  const navigate = useNavigate();
  const onSuccess = ({ id }: { readonly id: string }) => navigate({ to: '/quotes/$id', params: { id } });
  const copyLink = async (url: string) => {
    if (await tryToCopy(url)) toasts.show({ text: linkWords.copied });
    else setUncopied(url);
  };
  const acts: Readonly<Partial<Record<QuoteAction, () => void>>> = {
    link: () => makeLink.mutate(undefined, { onSuccess: copyLink }),
    revise: () => revise.mutate(undefined, { onSuccess }),
    duplicate: () => duplicate.mutate(undefined, { onSuccess }),
    contract: () => makeContract.mutate(undefined, { onSuccess: onContract }),
  };
  const actions = actionsFor(quote, now).filter((action) => mayCall(permissions, operations[action]));
  const error = makeLink.error ?? revise.error ?? duplicate.error ?? makeContract.error;
  const isBusy = makeLink.isPending || revise.isPending || duplicate.isPending || makeContract.isPending;
  const act = (action: QuoteAction) => (acts[action] ?? (() => ask(action)))();
  const close = () => ask(undefined);
  return (
    <div className={styles['actions']} role="group" aria-label={words.label}>
      <Button aria-pressed={isPdfShown} onClick={onPdf}>
        {isPdfShown ? words.hidePdf : words.pdf}
      </Button>
      {actions.slice(0, shownMax).map((action, index) => (
        <Button
          key={action}
          kind={index === 0 && isNextStep(action) ? 'primary' : 'secondary'}
          isBusy={isBusy && acts[action] !== undefined}
          onClick={() => act(action)}
        >
          {words[action]}
        </Button>
      ))}
      {actions.length > shownMax && (
        <Menu label={words.more} side="end" button={<MoreLabel />}>
          {actions.slice(shownMax).map((action) => (
            <MenuEntry
              key={action}
              isBusy={isBusy && acts[action] !== undefined}
              onChoose={() => act(action)}
            >
              {words[action]}
            </MenuEntry>
          ))}
        </Menu>
      )}
      {error !== null && <Failure error={error} />}
      {asked === 'resend' && <ResendDialog quote={quote} onClose={close} />}
      {uncopied !== undefined && <LinkDialog url={uncopied} onClose={() => setUncopied(undefined)} />}
      {asked === 'accept' && <AcceptDialog quote={quote} onClose={close} />}
      {asked === 'reject' && <RejectDialog quote={quote} onClose={close} />}
    </div>
  );
}

function MoreLabel() {
  const { actions: words } = useWords(sentWords);
  return (
    <>
      {words.more}
      <Icon name="down" />
    </>
  );
}
