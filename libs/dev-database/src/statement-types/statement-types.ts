import { connected } from '../databases.ts';
import { describeStatements } from './describe.ts';
import { renderStatementTypes, type TypedStatement } from './typescript.ts';

/** A statement as `describedStatements` of tenancy defines it. */
export interface StatementText extends Pick<TypedStatement, 'times'> {
  readonly name: string;
  readonly text: string;
  readonly owner: 'organization' | 'user' | 'unscoped';
  readonly described?: { readonly project: string; readonly like?: string | undefined } | undefined;
}

/**
 * The types of a project's statements, as it commits them in `src/statements.types.ts`.
 *
 * @param url a migrated database, as its owner or the superuser
 * @param statements all that are defined; those of other projects are left out
 */
export async function statementTypes(
  url: string,
  project: string,
  statements: readonly StatementText[],
): Promise<string> {
  const own = statements.filter(({ described }) => described?.project === project);
  const described = await connected(url, (client) => describeStatements(client, own));
  return renderStatementTypes(
    described.map((one, index) => ({
      ...one,
      like: own[index]?.described?.like,
      isScoped: own[index]?.owner !== 'unscoped',
      times: own[index]?.times,
    })),
  );
}
