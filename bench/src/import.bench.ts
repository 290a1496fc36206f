/**
 * An import of a file as HubSpot writes it, of which every other address is there already, through the whole service but its
 * socket. The database has not measured its tables, as that of a new installation:
 *
 *     npm run bench -- import [rows]
 *
 * Goal: 2,000 rows a second, in less than 50 MB, whatever the size of the file.
 */
import { startBusiness } from './business.ts';
import { report, sized } from './figures.ts';

const rows = Number(process.argv[2] ?? sized(100_000, 2_000));
const goal = { rowsPerSecond: 2_000, megabytes: 50 };
const everyMs = 20;
const quota = { QUOTA_ROWS_UNCONFIRMED: '10000000', QUOTA_BYTES_UNCONFIRMED: '10000000000' };
const { caller, close } = await startBusiness('leads-service', quota);

const fileOf = (first: number, count: number): Buffer =>
  Buffer.from(
    `First Name,Last Name,Email,Phone Number,Associated Company,Notes\n${Array.from(
      { length: count },
      (_, n) =>
        `Åsa,Ek ${first + n},lead-${first + n}@example.com,+46 70 123 45 67,Company ${n % 50},"${'Met at the fair. '.repeat(10)}"\n`,
    ).join('')}`,
  );

async function load(query: string, body: Buffer): Promise<number> {
  const began = performance.now();
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await caller.send('POST', `/api/leads/import?${query}`, { body, headers });
  if (answer.status !== 200) throw new Error(answer.text);
  return performance.now() - began;
}

/** By how much a process grows at most while something is done. */
async function growthOf(work: () => Promise<number>): Promise<{ ms: number; megabytes: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), everyMs);
  const ms = await work();
  clearInterval(timer);
  return { ms, megabytes: (most - before) / 1e6 };
}

try {
  const [half, whole] = [fileOf(0, Math.floor(rows / 2)), fileOf(0, rows)];
  // Which also warms the process up.
  await load('mode=rows&duplicates=skip', half);
  const { ms, megabytes } = await growthOf(() => load('mode=rows&duplicates=skip', whole));
  const rowsPerSecond = (rows / ms) * 1_000;
  report({
    what: `${rows.toLocaleString('en')} rows, rows a second`,
    value: Math.round(rowsPerSecond).toLocaleString('en'),
    goal: goal.rowsPerSecond.toLocaleString('en'),
    reached: rowsPerSecond >= goal.rowsPerSecond,
  });
  report({
    what: `growth of the process, which also has the file of ${(whole.length / 1e6).toFixed(0)} MB`,
    value: `${megabytes.toFixed(0)} MB`,
    goal: `${goal.megabytes} MB`,
    reached: megabytes < goal.megabytes,
  });
} finally {
  await close();
}
process.exit();
