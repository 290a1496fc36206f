import { foldText } from '@tenantry/text';
import type { AddressColumn } from './column-words.ts';

/** A column with a part of a postal address. */
export interface AddressPart {
  readonly column: number;
  readonly kind?: string | undefined;
  readonly number?: number | undefined;
  /** Whose address it is of. */
  readonly which?: string | undefined;
}

const atHome = /home|bostad|hem|privat|hjem|koti|thuis|domicile|casa|residencial|abitazione|domow/;
const elsewhere =
  /other|ovrig|annan|annen|anden|muu|weiter|overig|autre|otro|outro|altro|inny|deliver|ship|lev/;

/** Where quotes go to first: the address without a name and that of the business, then that at home, then any other. */
const rankOf = (which: string): number => (elsewhere.test(which) ? 2 : atHome.test(which) ? 1 : 0);

/** The addresses that are made of these columns, the parts of each in the order of an envelope. */
export function proposeAddresses(parts: readonly AddressPart[]): readonly (readonly number[])[] {
  const groups = new Map<string, AddressPart[]>();
  for (const part of parts) {
    const { which = '' } = part;
    groups.set(which, [...(groups.get(which) ?? []), part]);
  }
  return [...groups]
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .flatMap(([, group]) => {
      const of = (kind: AddressColumn) => group.filter((part) => part.kind === kind);
      const byNumber = of('street').toSorted(
        (one, other) => (one.number ?? 0) - (other.number ?? 0) || one.column - other.column,
      );
      const streets = byNumber.length > 0 ? byNumber : of('visit');
      const place = (['postcode', 'city', 'region', 'country'] as const).flatMap((kind) =>
        of(kind).slice(0, 1),
      );
      const isAddress = streets.length > 0 || place.some(({ kind }) => kind !== 'country');
      const together = isAddress ? [...streets, ...place].map(({ column }) => column) : [];
      // One column with the whole of it is for where its parts are not there.
      const wholes = isAddress && streets.length > 0 ? [] : of('address').map(({ column }) => [column]);
      return [...wholes, ...(together.length > 0 ? [together] : [])];
    });
}

/** What a column of an address has in a row. */
export interface AddressCell {
  readonly kind: string | undefined;
  readonly text: string;
}

const postcode = /^(?:[A-Z]{1,3}[- ]?)?\d{3,6}(?:[- ]\d{2,4})?$/;

/** Countries that write the postal code behind the city, as files name them. */
const codeBehind = new Set(
  (
    'us,usa,united states,united states of america,ca,canada,au,australia,nz,new zealand,gb,uk,united kingdom,great britain,' +
    'england,scotland,wales,northern ireland,ie,ireland,in,india,za,south africa'
  ).split(','),
);

/** An address as it stands on an envelope, of parts in their order; postal code and city are one line. */
export function addressLines(cells: readonly AddressCell[]): string {
  const filled = cells.filter(({ text }) => text !== '');
  const known = filled.map(({ kind, text }, n) => {
    const isCode = kind === undefined && postcode.test(text) && n > 0;
    const isBehindCode = kind === undefined && n > 0 && postcode.test(filled[n - 1]?.text ?? '');
    return { kind: isCode ? 'postcode' : isBehindCode ? 'city' : kind, text };
  });
  const textOf = (kind: AddressColumn) => known.find((cell) => cell.kind === kind)?.text ?? '';
  const isBehind = codeBehind.has(foldText(textOf('country')));
  const order = isBehind ? (['city', 'region', 'postcode'] as const) : (['postcode', 'city'] as const);
  const inPlace: readonly (string | undefined)[] = order;
  const place = order
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');
  const lines = known.flatMap(({ kind, text }, n) => {
    if (!inPlace.includes(kind)) return text.split(/\r\n|\r|\n/);
    return known.findIndex((cell) => inPlace.includes(cell.kind)) === n ? [place] : [];
  });
  const seen = new Set<string>();
  return lines
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && !seen.has(foldText(line)) && seen.add(foldText(line)))
    .join('\n');
}
