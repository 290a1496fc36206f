import { Link, useRouter } from '@tanstack/react-router';
import { ActorAvatar } from '../design/actor-avatar.tsx';
import { actorWords } from '../design/actor.words.ts';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import rowStyles from '../design/rows.module.css';
import type { Happening } from './activity.queries.ts';
import styles from './activity.module.css';
import { organizationActivityWords } from './activity.words.ts';
import { sentenceOf } from './sentences.ts';

/** What happened, by day. */
export function Timeline({ happenings }: { readonly happenings: readonly Happening[] }) {
  const formats = useFormats();
  const days = new Map<string, Happening[]>();
  for (const happening of happenings) {
    const day = formats.day(happening.createdAt);
    days.set(day, [...(days.get(day) ?? []), happening]);
  }
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={styles['day']} aria-label={day}>
      <h2>{day}</h2>
      <ol className={rowStyles['rows']}>
        {ofDay.map((happening) => (
          <Entry key={happening.id} happening={happening} />
        ))}
      </ol>
    </section>
  ));
}

function Entry({ happening }: { readonly happening: Happening }) {
  const words = useWords(organizationActivityWords);
  const formats = useFormats();
  const actors = useWords(actorWords);
  const language = useLanguage();
  const sentence = <bdi>{sentenceOf(happening, { words, actors, language })}</bdi>;
  const href = useTargetPage(happening);
  return (
    <li className={`${rowStyles['row']} ${styles['entry']}`}>
      <ActorAvatar actor={happening.actor} />
      <p>{href === undefined ? sentence : <Link to={href}>{sentence}</Link>}</p>
      <time dateTime={happening.createdAt}>{formats.time(happening.createdAt)}</time>
    </li>
  );
}

const pageOf: Readonly<Record<string, string>> = { lead: '/leads/{-$id}', quote: '/quotes/$id' };
const isGone = /\.(?:deleted|erased|purged)$/;

/** Links to the target, unless it was deleted. */
function useTargetPage({ action, target }: Happening): string | undefined {
  const { routesByPath } = useRouter();
  const path = pageOf[target?.type ?? ''];
  if (!target || path === undefined || !Object.hasOwn(routesByPath, path) || isGone.test(action))
    return undefined;
  return path.replace(/\{-\$id\}|\$id/, target.id);
}
