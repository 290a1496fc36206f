import { join } from 'node:path';
import { describeApi } from '../api/document.ts';
import { writeOperations } from './operations.ts';
import { writeTypes } from './types.ts';

/** Where the client keeps what is generated. */
export const generatedDirectory = (workspaceRoot: string): string =>
  join(workspaceRoot, 'libs/client/src/generated');

/** The files of the client that follow from the API as the sources describe it, by name. */
export async function generateClient(workspaceRoot: string): Promise<Readonly<Record<string, string>>> {
  const document = await describeApi(workspaceRoot);
  return { 'types.ts': await writeTypes(document), 'operations.ts': writeOperations(document) };
}
