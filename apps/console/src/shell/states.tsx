import { Link, useRouter } from '@tanstack/react-router';
import { useWords } from '../design/language.ts';
import { CardPage } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { shellWords } from './shell.words.ts';

/** An address without a page. */
export function NotFound() {
  const { notFound } = useWords(failureWords);
  return (
    <CardPage title={notFound.title}>
      <p>{notFound.text}</p>
      <p>
        <Link to="/">{notFound.home}</Link>
      </p>
    </CardPage>
  );
}

/** A page that the role of the reader does not open. */
export function Forbidden() {
  const { forbidden } = useWords(shellWords);
  return (
    <CardPage title={forbidden.title}>
      <p>{forbidden.text}</p>
      <p>
        <Link to="/">{forbidden.home}</Link>
      </p>
    </CardPage>
  );
}

/** A page that could not be loaded. */
export function LoadingFailed({ error }: { readonly error: unknown }) {
  const words = useWords(failureWords);
  const router = useRouter();
  return (
    <CardPage title={words.failed}>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </CardPage>
  );
}
