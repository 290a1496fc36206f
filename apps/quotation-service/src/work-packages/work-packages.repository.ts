import { theOne } from '@tenantry/tenancy';
import { statement, type Transaction } from '../database.ts';
import { workPackagesMax } from './work-packages.errors.ts';

/** The fields of a work package. */
export interface WorkPackageContent {
  readonly name: string;
  readonly description: string;
}

/** A work package without its lines. */
export interface WorkPackageRow extends WorkPackageContent {
  readonly id: string;
  readonly subtotal: number;
  readonly itemCount: number;
  /** The highest position of a line, deleted ones included. */
  readonly lastPosition: number;
}

/** The sum of a package's lines. */
export type WorkPackageLines = Pick<WorkPackageRow, 'id' | 'subtotal' | 'itemCount' | 'lastPosition'>;

const columns = `id, name, description, subtotal::float8 AS subtotal, item_count AS "itemCount",
  last_position AS "lastPosition"`;

const workPackageById = statement({
  name: 'work-package-by-id',
  text: `SELECT ${columns} FROM work_packages WHERE organization_id = $1 AND quote_id = $2 AND id = $3`,
});

const insertWorkPackage = statement({
  name: 'work-package-insert',
  text: `
    INSERT INTO work_packages (organization_id, quote_id, name, description, position)
    SELECT $1, $2, $3, $4, coalesce(max(position), 0) + 1
    FROM work_packages WHERE organization_id = $1 AND quote_id = $2
    HAVING count(*) < $5
    RETURNING id`,
});

const workPackageIds = statement({
  name: 'work-package-ids',
  text: 'SELECT id FROM work_packages WHERE organization_id = $1 AND quote_id = $2 ORDER BY position, id',
});

const reorderWorkPackages = statement({
  name: 'work-package-reorder',
  text: `
    UPDATE work_packages SET position = array_position($3::uuid[], id)
    WHERE organization_id = $1 AND quote_id = $2 AND id = ANY ($3::uuid[])`,
});

const updateWorkPackage = statement({
  name: 'work-package-update',
  text: `
    UPDATE work_packages SET name = $4, description = $5
    WHERE organization_id = $1 AND quote_id = $2 AND id = $3 RETURNING id`,
});

const countText = statement({
  name: 'work-package-count-text',
  text: `
    SELECT (octet_length(name) + octet_length(description) + (
        SELECT coalesce(sum(octet_length(article_number) + octet_length(description) + octet_length(unit)), 0)
        FROM line_items WHERE organization_id = $1 AND quote_id = $2 AND work_package_id = $3
      ))::int AS bytes
    FROM work_packages WHERE organization_id = $1 AND quote_id = $2 AND id = $3`,
});

const deleteWorkPackage = statement({
  name: 'work-package-delete',
  text: 'DELETE FROM work_packages WHERE organization_id = $1 AND quote_id = $2 AND id = $3 RETURNING id',
});

const setLines = statement({
  name: 'work-package-set-lines',
  text: `
    UPDATE work_packages SET subtotal = $4, item_count = $5, last_position = $6
    WHERE organization_id = $1 AND quote_id = $2 AND id = $3 RETURNING id`,
});

/** The work packages of a quote that the transaction has locked. */
export class WorkPackageRepository {
  async find(tx: Transaction, quoteId: string, id: string): Promise<WorkPackageRow | undefined> {
    const [found] = await tx.query(workPackageById, [quoteId, id]);
    return found;
  }

  /** Adds a package at the end; undefined if the quote has the maximum number. */
  async insert(
    tx: Transaction,
    quoteId: string,
    { name, description }: WorkPackageContent,
  ): Promise<string | undefined> {
    const [inserted] = await tx.query(insertWorkPackage, [quoteId, name, description, workPackagesMax]);
    return inserted?.id;
  }

  /** The ids of all packages, in their order. */
  async ids(tx: Transaction, quoteId: string): Promise<string[]> {
    return (await tx.query(workPackageIds, [quoteId])).map(({ id }) => id);
  }

  async reorder(tx: Transaction, quoteId: string, ids: readonly string[]): Promise<void> {
    await tx.query(reorderWorkPackages, [quoteId, ids]);
  }

  async update(
    tx: Transaction,
    quoteId: string,
    { id, name, description }: WorkPackageContent & { id: string },
  ): Promise<void> {
    theOne(await tx.query(updateWorkPackage, [quoteId, id, name, description]));
  }

  /** Counts the bytes of all texts of a package and its lines. */
  async countText(tx: Transaction, quoteId: string, id: string): Promise<number> {
    return theOne(await tx.query(countText, [quoteId, id])).bytes;
  }

  /** Deletes a package with its lines. */
  async remove(tx: Transaction, quoteId: string, id: string): Promise<void> {
    theOne(await tx.query(deleteWorkPackage, [quoteId, id]));
  }

  /** Stores the sum of its lines. */
  async setLines(
    tx: Transaction,
    quoteId: string,
    { id, subtotal, itemCount, lastPosition }: WorkPackageLines,
  ): Promise<void> {
    theOne(await tx.query(setLines, [quoteId, id, subtotal, itemCount, lastPosition]));
  }
}
