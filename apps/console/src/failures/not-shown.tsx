import { Link } from '@tanstack/react-router';
import { isTenantryError } from '@tenantry/client';
import { Page as Frame } from '../design/page.tsx';
import { Failure } from './failure.tsx';

interface NotShownProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The page's title if it could not be loaded. */
  readonly title: string;
  /** The message if it does not exist. */
  readonly notFound: { readonly title: string; readonly text: string; readonly action: string };
  /** The list to go back to. */
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
