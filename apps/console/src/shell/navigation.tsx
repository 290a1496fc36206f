import { Link } from '@tanstack/react-router';
import { Disclosure } from '../design/disclosure.tsx';
import { useWords } from '../design/language.ts';
import { destinations, type Destination } from './destinations.ts';
import { NavigationIcon } from './navigation-icon.tsx';
import styles from './navigation.module.css';
import { useMayOpen } from './pages.queries.ts';
import { shellWords } from './shell.words.ts';

/** On a phone there is room for these; the others are below "More". */
const shownOnPhones = 4;

/** The way to every page that is reached from everywhere: beside the page, on a phone below it. */
export function Navigation() {
  const { navigation: words } = useWords(shellWords);
  const mayOpen = useMayOpen();
  const reachable = destinations.filter(({ path }) => mayOpen(path));
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
