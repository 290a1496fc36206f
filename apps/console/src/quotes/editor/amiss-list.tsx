import { Link } from '@tanstack/react-router';
import { useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import type { Amiss } from './amiss.ts';
import { editorWords } from './editor.words.ts';
import styles from './editor.module.css';

interface AmissListProps {
  readonly findings: readonly Amiss[];
  /** Back to the quote, where most of it is mended. */
  readonly onClose: () => void;
}

/** What is amiss with a quote, each with the way to where it is mended. */
export function AmissList({ findings, onClose }: AmissListProps) {
  const { sending, amiss } = useWords(editorWords);
  if (findings.length === 0) return null;
  return (
    <Notice kind="news">
      <p className={styles['amissTitle']}>{sending.amiss}</p>
      <ul className={styles['amiss']}>
        {findings.map((finding) => (
          <li key={finding}>
            {amiss[finding]}{' '}
            {ofOrganization.has(finding) ? (
              <Link to="/organization">{amiss.fix}</Link>
            ) : (
              <button type="button" className={styles['fix']} onClick={onClose}>
                {amiss.fix}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const ofOrganization: ReadonlySet<Amiss> = new Set(['no-logo', 'no-address', 'no-vat-number']);
