import { Link, useRouter, type AnyRoute } from '@tanstack/react-router';
import { mayCall, type OperationId } from '@tenantry/client';
import { Disclosure } from '../design/disclosure.tsx';
import { useWords } from '../design/language.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { destinations, type Destination } from './destinations.ts';
import { NavigationIcon } from './navigation-icon.tsx';
import styles from './navigation.module.css';
import { shellWords } from './shell.words.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The operation that a page calls first. */
    readonly operation?: OperationId;
  }
}

/** On a phone there is room for these; the others are below "More". */
const shownOnPhones = 4;

/** The pages that there are, of those that are reached from everywhere, and that the reader may open. */
export function useDestinations(): readonly Destination[] {
  const routes = routesWithoutOptions(useRouter().routesByPath);
  const { permissions } = useSignedIn();
  return destinations.filter(({ path }) => {
    const operation = routes.get(path)?.options.staticData?.operation;
    return operation !== undefined && mayCall(permissions, operation);
  });
}

/** Routes by the shortest address that they answer to. */
const routesWithoutOptions = (routes: Readonly<Record<string, AnyRoute>>) =>
  new Map(Object.entries(routes).map(([path, route]) => [path.replace(/\/\{-\$\w+\}$/, ''), route]));

/** The way to every page that is reached from everywhere: beside the page, on a phone below it. */
export function Navigation() {
  const { navigation: words } = useWords(shellWords);
  const reachable = useDestinations();
  const further = reachable.slice(shownOnPhones);
  return (
    <nav className={styles['navigation']} aria-label={words.label}>
      <ul className={styles['list']}>
        {reachable.map((destination, index) => (
          <li key={destination.path} className={index < shownOnPhones ? undefined : styles['further']}>
            <Entry destination={destination} />
          </li>
        ))}
        {further.length > 0 && (
          <li className={styles['more']}>
            <Disclosure
              label={words.more}
              side="above"
              button={
                <span className={styles['tab']}>
                  <NavigationIcon name="more" />
                  <span>{words.more}</span>
                </span>
              }
            >
              {(close) => (
                <ul>
                  {further.map((destination) => (
                    <li key={destination.path}>
                      <Entry destination={destination} onClick={close} />
                    </li>
                  ))}
                </ul>
              )}
            </Disclosure>
          </li>
        )}
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly destination: Destination;
  readonly onClick?: () => void;
}

function Entry({ destination: { path, name }, onClick }: EntryProps) {
  const { navigation: words } = useWords(shellWords);
  return (
    <Link
      to={path}
      activeOptions={{ exact: path === '/' }}
      className={styles['entry']}
      {...(onClick && { onClick })}
    >
      <NavigationIcon name={name} />
      <span>{words.names[name]}</span>
    </Link>
  );
}
