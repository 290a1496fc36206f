import { Button } from '../design/button.tsx';
import { useWords, type Language } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { useBlobUrl } from '../design/use-blob-url.ts';
import { Failure } from '../failures/failure.tsx';
import { useQuotePdf } from './quotes.queries.ts';
import styles from './preview.module.css';
import { quoteWords } from './quotes.words.ts';
import { useSlowly } from './use-slowly.ts';

interface PreviewProps {
  readonly quoteId: string;
  readonly language: Language;
  /** Of what is saved: another one is another PDF. */
  readonly etag: string | undefined;
  readonly onClose?: (() => void) | undefined;
}

/** Thirty PDFs a minute are allowed to an organization's user; one in five seconds is enough to see what changes. */
const pauseMs = 5_000;

/** The quote as PDF, as it is saved. */
export function Preview({ quoteId: id, language, etag, onClose }: PreviewProps) {
  const words = useWords(quoteWords);
  const pdf = useQuotePdf({ id, language, etag: useSlowly(etag, pauseMs) });
  const url = useBlobUrl(pdf.data);
  return (
    <aside className={styles['preview']} aria-label={words.pdf.title}>
      {onClose && (
        <div>
          <Button kind="plain" onClick={onClose}>
            {words.pdf.close}
          </Button>
        </div>
      )}
      {pdf.isPending && <Skeleton label={words.pdf.title} lines={8} />}
      {pdf.isError && <Failure error={pdf.error} onRetry={() => void pdf.refetch()} />}
      {url !== undefined && <iframe src={url} title={words.pdf.title} className={styles['pdf']} />}
    </aside>
  );
}
