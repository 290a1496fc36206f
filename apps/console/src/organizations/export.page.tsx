import { BackLink } from '../design/back-link.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { ArchiveForm } from './archive-form.tsx';
import { exportWords } from './export.words.ts';
import styles from './organization.module.css';

/** Everything of the organization, to take elsewhere. */
export function Page() {
  const words = useWords(exportWords);
  return (
    <Frame title={words.title}>
      <BackLink to="/organization/data">{words.back}</BackLink>
      <p>{words.about}</p>
      <p>{words.limits}</p>
      {(['leads', 'quotes', 'people', 'organization'] as const).map((part) => (
        <Section key={part} title={words.parts[part].title}>
          <ArchiveForm part={part} />
        </Section>
      ))}
      <Section title={words.nowhere.title}>
        <p>{words.nowhere.text}</p>
        <ul className={styles['bullets']}>
          {words.nowhere.list.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
      </Section>
      <Section title={words.elsewhere.title}>
        <p>{words.elsewhere.text}</p>
      </Section>
    </Frame>
  );
}
