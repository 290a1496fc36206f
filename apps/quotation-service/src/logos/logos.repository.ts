import { statement, type Rows, type Transaction } from '../database.ts';
import type { Logo } from './logo.ts';

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
    SELECT logo_digest AS digest, coalesce(xmin::text, '') AS version FROM organization_settings
    WHERE organization_id = $1 AND logo_digest IS NOT NULL`,
});

const dropCurrent = statement({
  name: 'logo-drop-current',
  text: `
    UPDATE organization_settings SET logo_digest = NULL
    WHERE organization_id = $1 AND logo_digest = $2 AND xmin::text = $3 RETURNING organization_id AS id`,
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

/** The logo that the settings of an organization name. */
export interface NamedLogo {
  readonly digest: string;
  /** Another after each event, which may name the same logo again. */
  readonly version: string;
}

/** The pictures of the organization whose rows are given. */
export class LogosRepository {
  async find(rows: Rows, digest: string): Promise<Logo | undefined> {
    const [logo] = await rows.query(findLogo, [digest]);
    return logo;
  }

  async has(rows: Rows, digest: string): Promise<boolean> {
    return (await rows.query(hasLogo, [digest])).length > 0;
  }

  /** The current logo of the organization, if it has one. */
  async current(rows: Rows): Promise<NamedLogo | undefined> {
    const [found] = await rows.query(currentLogo, []);
    const { digest, version = '' } = found ?? {};
    return digest ? { digest, version } : undefined;
  }

  /** The organization has no logo from now on; false if an event has named one meanwhile. */
  async dropCurrent(rows: Rows, { digest, version }: NamedLogo): Promise<boolean> {
    return (await rows.query(dropCurrent, [digest, version])).length > 0;
  }

  async insert(rows: Rows, { digest, mediaType, content }: Logo): Promise<void> {
    await rows.query(insertLogo, [digest, mediaType, content]);
  }

  /** Marks a picture as kept; false if it no longer exists. */
  async markSent(tx: Transaction, digest: string): Promise<boolean> {
    return (await tx.query(markSent, [digest])).length > 0;
  }

  /** Deletes the pictures that no quote was sent with, but for one. */
  async removeUnsent(tx: Transaction, except: string | undefined = ''): Promise<void> {
    tx.send(removeUnsent, [except]);
  }
}
