import { statement, type Rows, type Transaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** A picture that an organization shows on its quotes. */
export type Logo = Statements['logo-read']['row'];

const findLogo = statement({
  name: 'logo-read',
  text: 'SELECT media_type AS "mediaType", content FROM organization_logos WHERE organization_id = $1',
});

const saveLogo = statement({
  name: 'logo-save',
  text: `
    INSERT INTO organization_logos (organization_id, media_type, content) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id) DO UPDATE SET media_type = excluded.media_type, content = excluded.content`,
});

const removeLogo = statement({
  name: 'logo-remove',
  text: 'DELETE FROM organization_logos WHERE organization_id = $1',
});

/** The logo of the organization whose rows are given. */
export class LogosRepository {
  async find(rows: Rows): Promise<Logo | undefined> {
    const [logo] = await rows.query(findLogo, []);
    return logo;
  }

  async save(tx: Transaction, { mediaType, content }: Logo): Promise<void> {
    await tx.query(saveLogo, [mediaType, content]);
  }

  async remove(tx: Transaction): Promise<void> {
    await tx.query(removeLogo, []);
  }
}
