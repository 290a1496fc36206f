import { Link } from '@tanstack/react-router';
import { isTenantryError } from '@tenantry/client';
import { Page as Frame } from '../design/page.tsx';
import { Failure } from './failure.tsx';

interface NotShownProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** What the page is called where it could not be read. */
  readonly title: string;
  /** What is said where there is nothing at its address. */
  readonly notFound: { readonly title: string; readonly text: string; readonly action: string };
  /** The list that leads on. */
  readonly list: '/customers' | '/quotes';
}

/** The page of one thing that does not exist, or could not be read. An id of the wrong form is 400. */
export function NotShown({ error, onRetry, title, notFound, list }: NotShownProps) {
  if (!isTenantryError(error) || (error.status !== 404 && error.status !== 400)) {
    return (
      <Frame title={title}>
        <Failure error={error} onRetry={onRetry} />
      </Frame>
    );
  }
  return (
    <Frame title={notFound.title}>
      <p>{notFound.text}</p>
      <p>
        <Link to={list}>{notFound.action}</Link>
      </p>
    </Frame>
  );
}
