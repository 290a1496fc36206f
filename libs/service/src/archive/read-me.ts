import { isImported, type ArchiveTables } from './archive-tables.ts';

/** The text of an archive that says what is in it, in both languages. */
export function readMes(
  service: string,
  { exported, derived, kept }: ArchiveTables,
): readonly { readonly path: string; readonly text: string }[] {
  const [imported, read] = [true, false].map((isWritten) =>
    exported.filter((table) => isImported(table) === isWritten).map(({ name }) => `data/${name}.ndjson`),
  );
  const left = Object.entries({ ...derived, ...kept }).map(([name, reason]) => `${name}: ${reason}`);
  const list = (lines: readonly string[] = [], none = '- none') =>
    lines.map((line) => `- ${line}`).join('\n') || none;
  return [
    {
      path: 'README.txt',
      text: `What ${service} has of your organization, as of one moment.

manifest.json says which moment that is, and for each file in data how many rows it has and its SHA-256. It is the last
file of the archive: if it is missing, the download broke off, and what you have is not whole.

Each file in data is a table: a row is a line of JSON. An import into another installation takes over these as they are:
${list(imported)}

And of these what can go on there, if anything; they are for you to read:
${list(read)}

The files in csv are for people and spreadsheets, and the files in pdf are quotes as customers have them. A quote precedes
what a spreadsheet could run as a formula.

These tables are not in the archive:
${list(left)}
`,
    },
    {
      path: 'LÄSMIG.txt',
      text: `Det som ${service} har om din organisation, vid en och samma tidpunkt.

manifest.json säger vilken tidpunkt det är, och för varje fil i data hur många rader den har och dess SHA-256. Den är
arkivets sista fil: saknas den avbröts hämtningen, och det du har är inte helt.

Varje fil i data är en tabell: en rad är en rad JSON. En inläsning i en annan installation tar över dessa som de är:
${list(imported, '- inga')}

Och av dessa det som kan fortsätta där, om något; de är till för att läsas:
${list(read, '- inga')}

Filerna i csv är till för människor och kalkylprogram, och filerna i pdf är offerter som kunderna har dem. Ett citattecken
står före det som ett kalkylprogram skulle kunna köra som en formel.

Dessa tabeller finns inte i arkivet (skälen på engelska):
${list(left)}
`,
    },
  ];
}
