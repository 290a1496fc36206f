import { statement, type Rows, type Transaction } from '../database.ts';
import type { Logo } from './logo.ts';

/** The pictures of the organization whose rows are given. */
export interface LogosRepository {
  find(rows: Rows, digest: string): Promise<Logo | undefined>;
  has(rows: Rows, digest: string): Promise<boolean>;
  /** Whether it is the one that the organization shows now. */
  isCurrent(rows: Rows, digest: string): Promise<boolean>;
  insert(rows: Rows, logo: Logo): Promise<void>;
  /** Has a picture kept for good; false where it is not there any more. */
  markSent(tx: Transaction, digest: string): Promise<boolean>;
  /** Deletes the pictures that no quote was sent with, but for one. */
  removeUnsent(tx: Transaction, except: string | undefined): Promise<void>;
}

const findLogo = statement({
  name: 'logo-find',
  text: `
    SELECT digest, media_type AS "mediaType", content FROM logos WHERE organization_id = $1 AND digest = $2`,
});

const hasLogo = statement({
  name: 'logo-exists',
  text: 'SELECT digest FROM logos WHERE organization_id = $1 AND digest = $2',
});

const currentLogo = statement({
  name: 'logo-current',
  text: `
    SELECT logo_digest AS digest FROM organization_settings WHERE organization_id = $1 AND logo_digest = $2`,
});

const insertLogo = statement({
  name: 'logo-insert',
  text: `
    INSERT INTO logos (organization_id, digest, media_type, content) VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, digest) DO NOTHING`,
});

const markSent = statement({
  name: 'logo-mark-sent',
  text: 'UPDATE logos SET is_sent = true WHERE organization_id = $1 AND digest = $2 RETURNING digest',
});

const removeUnsent = statement({
  name: 'logo-remove-unsent',
  text: 'DELETE FROM logos WHERE organization_id = $1 AND NOT is_sent AND digest <> $2',
});

/** Pictures in PostgreSQL. */
export function createLogosRepository(): LogosRepository {
  return {
    async find(rows, digest) {
      const [logo] = await rows.query(findLogo, [digest]);
      return logo;
    },
    has: async (rows, digest) => (await rows.query(hasLogo, [digest])).length > 0,
    isCurrent: async (rows, digest) => (await rows.query(currentLogo, [digest])).length > 0,
    async insert(rows, { digest, mediaType, content }) {
      await rows.query(insertLogo, [digest, mediaType, content]);
    },
    markSent: async (tx, digest) => (await tx.query(markSent, [digest])).length > 0,
    async removeUnsent(tx, except = '') {
      await tx.query(removeUnsent, [except]);
    },
  };
}
