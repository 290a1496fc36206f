import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { BackLink } from '../../design/back-link.tsx';
import { usePrinting } from '../../design/use-printing.ts';
import { useCustomerLanguage } from '../letter-language.tsx';
import { Preview } from '../preview.tsx';
import { quoteWords } from '../quotes.words.ts';
import { TotalsList } from '../totals-list.tsx';
import { QuoteSheet } from '../quote-sheet.tsx';
import { addPackage } from './edits.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import { Announcing } from './announcing.tsx';
import { Head, TitleField } from './head.tsx';
import { focusIn, PackageEditor } from './package-editor.tsx';
import { quoteOf } from './quote-of.ts';
import { SendDialog } from './send-dialog.tsx';
import { StatusBar } from './status-bar.tsx';
import { Terms } from './terms.tsx';
import { totalsOfDraft } from './totals.ts';
import { useDraft } from './use-draft.ts';

interface EditorProps {
  readonly quote: api.Quote;
  readonly etag: string | undefined;
  readonly sender: api.Organization;
}

/** A draft, which reads like the quote that it becomes, and is saved as it is typed. */
export function Editor({ quote, etag, sender }: EditorProps) {
  const words = useWords(editorWords);
  const { back } = useWords(quoteWords);
  const language = useLanguage();
  // Fields would cut what they hold.
  const isPrinting = usePrinting();
  const { timeZone } = sender.settings;
  const { saver, state, progress } = useDraft({ quote, etag, timeZone, firstPackage: words.firstPackage });
  const { draft, conflicts } = state;
  const { language: pdfLanguage } = useCustomerLanguage(draft.customer.id);
  const [opened, open] = useState<'preview' | 'send'>();
  const totals = totalsOfDraft(draft, language);
  const shownTotals = progress.kind === 'saved' ? (state.totals ?? totals) : totals;
  const shared = { saver, conflicts };
  return (
    <Frame
      title={draft.title || quote.number}
      heading={isPrinting ? undefined : <TitleField {...shared} draft={draft} />}
    >
      <BackLink to="/quotes" beside={quote.number}>
        {back}
      </BackLink>
      <Announcing>
        <StatusBar
          {...{ saver, progress, quote }}
          refused={state.refused}
          isPreviewed={opened === 'preview'}
          onPreview={() => open(opened === 'preview' ? undefined : 'preview')}
          onSend={() => open('send')}
        />
        {quote.revision > 1 && (
          <Notice kind="news">
            <p>{words.customerHas(quote.revision - 1)}</p>
          </Notice>
        )}
        {isPrinting && (
          <QuoteSheet quote={quoteOf(quote, draft, { language, timeZone })} timeZone={timeZone} />
        )}
        <div className={`${styles['written']} ${opened === 'preview' ? styles['beside'] : ''}`}>
          <article className={styles['sheet']}>
            <Head {...shared} draft={draft} />
            {draft.packages.map((one, index) => (
              <PackageEditor
                key={one.key}
                {...shared}
                workPackage={one}
                index={index}
                count={draft.packages.length}
                currency={draft.currency}
                totals={totals.workPackages[index]}
              />
            ))}
            <div>
              <Button
                kind="plain"
                onClick={({ currentTarget }) => {
                  saver.edit(addPackage(''));
                  // Once it is drawn, its name is typed.
                  const { parentElement } = currentTarget;
                  setTimeout(() => focusIn(parentElement?.previousElementSibling, 'packageName'));
                }}
              >
                <Icon name="plus" />
                {words.addPackage}
              </Button>
            </div>
            <div className={styles['bottom']}>
              <TotalsList totals={shownTotals} currency={draft.currency} vatRate={draft.vatRate || '0'} />
            </div>
            <p className={styles['hints']}>{words.hints}</p>
          </article>
          <Terms {...shared} draft={draft} />
          {opened === 'preview' && (
            <Preview
              quoteId={quote.id}
              language={pdfLanguage}
              etag={state.etag}
              onClose={() => open(undefined)}
            />
          )}
        </div>
        {opened === 'send' && (
          <SendDialog
            {...{ draft, sender, progress, quote }}
            etag={state.etag}
            total={totals.totalAmount}
            onClose={() => open(undefined)}
          />
        )}
      </Announcing>
    </Frame>
  );
}
