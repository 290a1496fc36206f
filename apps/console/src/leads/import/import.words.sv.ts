import type { ImportWords } from './import.words.en.ts';

const rows = (count: number, number: string): string => `${number} ${count === 1 ? 'rad' : 'rader'}`;

const separators = { ',': 'komma', ';': 'semikolon', '\t': 'tabb' } as const;

export const words: ImportWords = {
  title: 'Importera leads',
  back: 'Tillbaka till leads',
  choose: {
    title: 'Välj en fil',
    text: 'En CSV- eller textfil, eller rader kopierade från ett kalkylark. Inget skickas innan du har kontrollerat det.',
    file: 'Fil',
    paste: 'Eller klistra in rader här',
    drop: 'Du kan också släppa en fil här.',
    use: 'Använd raderna',
    empty: 'Det finns inga rader i det här.',
    unreadable: 'Filen kan inte läsas. Välj den igen.',
  },
  columns: {
    title: 'Kolumner',
    text: (separator) => `Cellerna skiljs åt av ${separators[separator]}.`,
    label: (column) => `Kolumn ${column} är`,
    out: 'Importeras inte',
    header: 'Första raden namnger kolumnerna',
    missing: 'Ett lead behöver ett namn och en e-postadress. Välj kolumnerna som har dem.',
    preview: 'Första raderna',
  },
  check: {
    title: 'Vad som importeras',
    checking: 'Raderna kontrolleras',
    good: (count, number) => `${rows(count, number)} kan importeras.`,
    bad: (count, number) => `${rows(count, number)} kan inte det, och utelämnas:`,
    line: (number) => `Rad ${number}`,
    more: (number) => `och ${number} till, alla i filen`,
    report: 'Spara raderna som en fil',
    start: (count, number) => `Importera ${rows(count, number)}`,
    other: 'Välj en annan fil',
  },
  run: {
    title: 'Importerar',
    progress: (settled, total) => `${settled} av ${total} rader`,
    waiting: 'Anslutningen är borta. Importen fortsätter när den är tillbaka.',
    stop: 'Stoppa',
    stopping: 'Stannar efter raderna som har skickats',
    resume: 'Fortsätt',
    failed: 'Importen har stannat.',
    stopped: (imported, total) => `Stoppad: ${imported} av ${total} rader är importerade.`,
    unsure: (number) =>
      `${number} till skickades utan svar. Fortsätt för att få veta vad som hände med dem; inget importeras två gånger.`,
    done: (count, number) => `${rows(count, number)} importerade.`,
    refused: (count, number) => `${rows(count, number)} utelämnade.`,
    show: 'Visa leads',
  },
  report: { line: 'Rad', column: 'Kolumn', reason: 'Orsak', file: 'utelamnade-leads.csv' },
};
