import { createReadStream, globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CheckContext } from './check-context.ts';
import type { Show } from './command.ts';
import { secretsIn, withoutSecrets } from './log-secrets.ts';
import { readReport } from './report.ts';

/** What the log lines of a run came to. */
export interface LogSearch {
  /** How many lines each file has, by its path below the folder. */
  lines: ReadonlyMap<string, number>;
  /** One sentence for each line with a secret in it. */
  leaks: readonly string[];
}

/** Folder of the log lines, in the folder of the results; each project has its own in it. */
export const logFolder = 'logs';

const lineLengthMax = 600;
const leaksShown = 20;

/** Reads every log line below a folder. */
export async function searchLogs(folder: string): Promise<LogSearch> {
  const leaks: string[] = [];
  const lines = new Map<string, number>();
  for (const file of globSync('**/*.log', { cwd: folder }).sort()) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      number += 1;
      const kinds = secretsIn(line);
      if (kinds.length === 0) continue;
      const shown = withoutSecrets(line).slice(0, lineLengthMax);
      leaks.push(`${join(folder, file)}:${number}: ${kinds.join(', ')}: ${shown}`);
    }
    lines.set(file, number);
  }
  return { lines, leaks };
}

/** Projects whose tests start services, and so must have left lines if their tests ran. */
const projectsThatLog = ({ services }: Pick<CheckContext, 'services'>) => [
  ...services.map(({ name }) => `apps/${name}`),
  'libs/service',
  'tools/service-template',
  'tools/test-system',
  'tools/test-long',
  'tools/test-chaos',
];

/** Whether the project asked for starts any service in its tests. */
export function startsServices(context: CheckContext): boolean {
  return context.project === undefined || projectsThatLog(context).includes(context.project);
}

/** Fails for a secret in any line that was logged in the run, and for tests of a service that logged nothing. */
export async function checkLogs(
  context: Pick<CheckContext, 'services' | 'results' | 'workspaceRoot'>,
  show: Show,
): Promise<string[]> {
  const { lines, leaks } = await searchLogs(join(context.results, logFolder));
  show(`${linesBelow('', lines)} log lines of ${lines.size} files were looked at.`);
  for (const leak of leaks.slice(0, leaksShown)) show(leak);
  if (leaks.length > leaksShown) show(`… and ${leaks.length - leaksShown} lines more`);
  const failures = leaks.length > 0 ? [`secrets in ${leaks.length} log lines: see above`] : [];
  const { files } = readReport(context);
  for (const path of projectsThatLog(context)) {
    const tested = files.some((file) => file.path.startsWith(`${path}/`));
    if (tested && linesBelow(`${path}/`, lines) === 0) {
      failures.push(`${path}: its tests left no log line, so none was looked at`);
    }
  }
  return failures;
}

function linesBelow(folder: string, lines: LogSearch['lines']): number {
  return [...lines].reduce((sum, [file, count]) => (file.startsWith(folder) ? sum + count : sum), 0);
}
