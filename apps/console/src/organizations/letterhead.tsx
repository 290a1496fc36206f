import type { api } from '@tenantry/client';
import { useLanguage, useWords } from '../design/language.ts';
import { addressLines } from './choices.ts';
import styles from './organization.module.css';
import { useLogo } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

/** Who a quote is from. */
export interface Sender {
  readonly name: string;
  readonly address: api.PostalAddress;
  readonly vatNumber: string | null;
}

interface LetterheadProps {
  readonly sender: Sender;
  /** The digest of the logo. */
  readonly logo: string | null;
}

/** The head of a quote's paper. */
export function Letterhead({ sender: { name, address, vatNumber }, logo }: LetterheadProps) {
  const { letterhead: words, address: fields } = useWords(settingsWords);
  const language = useLanguage();
  const { data } = useLogo(logo);
  return (
    <figure className={styles['paper']}>
      <figcaption className={styles['caption']}>{words.title}</figcaption>
      <div className={styles['seller']}>
        {data !== undefined && <img src={data} alt="" />}
        <p className={styles['sellerName']}>{name}</p>
        <p className={styles['lines']}>{addressLines(address, language).join('\n')}</p>
        {vatNumber !== null && (
          <p>
            {fields.vatNumber} {vatNumber}
          </p>
        )}
      </div>
      <p className={styles['kind']}>{words.quote}</p>
    </figure>
  );
}
