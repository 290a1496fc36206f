import { Button, ButtonLink } from '../design/button.tsx';
import { useWords, type Language } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { useBlobUrl } from '../design/use-blob-url.ts';
import { Failure } from '../failures/failure.tsx';
import { PdfPages } from './pdf-pages.tsx';
import { useQuotePdf } from './quotes.queries.ts';
import styles from './preview.module.css';
import { quoteWords } from './quotes.words.ts';
import { useSlowly } from './use-slowly.ts';

interface PreviewProps {
  readonly quoteId: string;
  /** The quote, unless its contract is asked for, which is kept as a file. */
  readonly contract?: { readonly file: string } | undefined;
  readonly language: Language;
  /** Of what is saved: another one is another PDF. */
  readonly etag: string | undefined;
  readonly onClose?: (() => void) | undefined;
}

/** Thirty PDFs a minute are allowed to an organization's user; one in five seconds is enough to see what changes. */
const pauseMs = 5_000;

/** The quote, as it is saved, or its contract as PDF. */
export function Preview({ quoteId: id, contract, language, etag, onClose }: PreviewProps) {
  const words = useWords(quoteWords);
  const kind = contract ? 'contract' : 'quote';
  const title = contract ? words.pdf.contract : words.pdf.title;
  const pdf = useQuotePdf({ id, kind, language, etag: useSlowly(etag, pauseMs) });
  const url = useBlobUrl(contract && pdf.data);
  return (
    <aside className={styles['preview']} aria-label={title}>
      {onClose && (
        <div>
          <Button kind="plain" onClick={onClose}>
            {words.pdf.close}
          </Button>
        </div>
      )}
      {contract && url !== undefined && (
        <div>
          <ButtonLink href={url} download={contract.file}>
            {words.pdf.download}
          </ButtonLink>
        </div>
      )}
      {pdf.isPending && <Skeleton label={title} lines={8} />}
      {pdf.isError && <Failure error={pdf.error} onRetry={() => void pdf.refetch()} />}
      {pdf.data && <PdfPages pdf={pdf.data} title={title} />}
    </aside>
  );
}
