/** A lead as POST /api/leads takes it, and the status moves that follow. */
export interface DemoLead {
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly source?: string;
  readonly notes?: string;
  readonly path: readonly string[];
}

/** Where a demo quote ends: the states of the contract, and what may become of a sent quote. */
export type DemoState = 'draft' | 'sent' | 'accepted' | 'rejected' | 'expired' | 'revised' | 'contract';

/** A quote for one of the leads. */
export interface DemoQuote {
  readonly title: string;
  /** The e-mail address of the lead. */
  readonly customer: string;
  readonly state: DemoState;
  /** For how many days it is valid; default: what the API takes. */
  readonly validDays?: number;
  readonly lines: readonly DemoLine[];
}

type DemoLine = readonly [description: string, quantity: number, unit: string, unitPrice: number];

/** An organization with its owner, colleagues, leads and quotes. */
export interface DemoOrganization {
  readonly name: string;
  /** Also the name of its logo in `demo-logos`. */
  readonly slug: string;
  /** How it signs its quotes, in which currency and with how much VAT. */
  readonly settings: object;
  readonly owner: { readonly name: string; readonly email: string };
  readonly colleagues: readonly {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  }[];
  readonly leads: readonly DemoLead[];
  readonly quotes: readonly DemoQuote[];
}

const untouched = [] as const;
const contacted = ['contacted'] as const;
const qualified = [...contacted, 'qualified'] as const;
const won = [...qualified, 'won'] as const;
const lost = [...contacted, 'lost'] as const;

const nordlysBygg: DemoOrganization = {
  name: 'Nordlys Bygg',
  slug: 'nordlys-bygg',
  settings: {
    timeZone: 'Europe/Oslo',
    address: { lines: ['Verkstedgata 4'], postalCode: '0554', city: 'Oslo', country: 'NO' },
    vatNumber: 'NO556012579MVA',
    defaultCurrency: 'NOK',
  },
  owner: { name: 'Ingrid Solberg', email: 'ingrid@nordlys.example' },
  colleagues: [
    { firstName: 'Lars', lastName: 'Øverby', email: 'lars@nordlys.example' },
    { firstName: 'Sunniva', lastName: 'Haugen', email: 'sunniva@nordlys.example' },
  ],
  leads: [
    { name: 'Kari Nordmann', email: 'kari@nordmann.example', source: 'website', path: lost },
    { name: 'Borettslaget Fjellveien', email: 'styret@fjellveien.example', source: 'referral', path: won },
    { name: 'Tor Bakken', email: 'tor@bakken.example', phone: '+47 22 00 00 03', path: contacted },
    { name: 'Henrik Moe', email: 'henrik@moe.example', source: 'trade fair', path: qualified },
    { name: 'Solveig Aas', email: 'solveig@aas.example', source: 'website', path: untouched },
    {
      name: 'Vestby kommune',
      email: 'innkjop@vestby.example',
      phone: '+47 22 00 00 04',
      source: 'tender',
      notes: 'Decides in the council, so allow for six weeks.',
      path: qualified,
    },
    { name: 'Nils Strand', email: 'nils@strand.example', source: 'referral', path: contacted },
    { name: 'Amalie Lund', email: 'amalie@lund.example', source: 'website', path: untouched },
    { name: 'Café Lyktestolpen', email: 'hei@lyktestolpen.example', source: 'referral', path: won },
    { name: 'Øystein Hagen', email: 'oystein@hagen.example', source: 'trade fair', path: lost },
    { name: 'Jonas Vik', email: 'jonas@vik.example', path: lost },
    { name: 'Maja Berg', email: 'maja@berg.example', source: 'trade fair', path: won },
    {
      name: 'Fjord Eiendom AS',
      email: 'post@fjordeiendom.example',
      phone: '+47 22 00 00 02',
      path: qualified,
    },
    {
      name: 'Erik Dahl',
      email: 'erik@dahl.example',
      source: 'referral',
      notes: 'Wants the roof done before the winter.',
      path: contacted,
    },
    {
      name: 'Åse Lindqvist',
      email: 'ase@lindqvist.example',
      phone: '+47 22 00 00 01',
      source: 'website',
      path: untouched,
    },
  ],
  quotes: [
    {
      title: 'Winter insulation',
      customer: 'henrik@moe.example',
      state: 'expired',
      lines: [['Wood fiber, blown in', 22.75, 'cbm', 895]],
    },
    {
      title: 'Terrace in larch',
      customer: 'maja@berg.example',
      state: 'contract',
      lines: [
        ['Decking, larch', 32, 'sqm', 1_149.5],
        ['Foundation screws', 18, 'pieces', 420],
      ],
    },
    {
      title: 'Garden wall',
      customer: 'jonas@vik.example',
      state: 'rejected',
      lines: [['Masonry', 18, 'hours', 610]],
    },
    {
      title: 'Kitchen, second floor',
      customer: 'hei@lyktestolpen.example',
      state: 'accepted',
      lines: [['Carpentry', 36, 'hours', 545]],
    },
    {
      title: 'Roof of the boathouse',
      customer: 'erik@dahl.example',
      state: 'sent',
      lines: [
        ['Roofing felt, laid', 48.5, 'sqm', 189.9],
        ['Scaffolding', 2, 'weeks', 2_400],
      ],
    },
    {
      title: 'Stairwell, twelve floors',
      customer: 'styret@fjellveien.example',
      state: 'accepted',
      lines: [
        ['Painting, two coats', 640, 'sqm', 118],
        ['Handrails, oak', 96, 'm', 740],
      ],
    },
    {
      title: 'Bathroom',
      customer: 'post@fjordeiendom.example',
      state: 'revised',
      lines: [['Tiling', 27.4, 'sqm', 720]],
    },
    {
      title: 'Gymnasium floor',
      customer: 'innkjop@vestby.example',
      state: 'sent',
      validDays: 5,
      lines: [
        ['Sports flooring, laid', 410, 'sqm', 865],
        ['Line marking', 1, 'lump sum', 18_500],
      ],
    },
    {
      title: 'New windows',
      customer: 'ase@lindqvist.example',
      state: 'draft',
      lines: [['Windows, triple glazing', 6, 'pieces', 4_890]],
    },
  ],
};

const atelierLumiere: DemoOrganization = {
  name: 'Atelier Lumière',
  slug: 'atelier-lumiere',
  settings: {
    timeZone: 'Europe/Paris',
    address: { lines: ['12 rue des Ateliers'], postalCode: '69004', city: 'Lyon', country: 'FR' },
    vatNumber: 'FR40303265045',
    defaultCurrency: 'EUR',
    vatRate: 20,
  },
  owner: { name: 'Camille Moreau', email: 'camille@lumiere.example' },
  colleagues: [{ firstName: 'Anne-Laure', lastName: 'de la Tour', email: 'anne-laure@lumiere.example' }],
  leads: [
    { name: 'Galerie Saint-Clair', email: 'contact@saintclair.example', source: 'referral', path: won },
    { name: 'José Álvarez', email: 'jose@alvarez.example', source: 'website', path: contacted },
    { name: 'Zoë Müller', email: 'zoe@mueller.example', notes: 'Call after 16:00.', path: untouched },
    { name: 'Librairie du Canal', email: 'bonjour@canal.example', source: 'website', path: lost },
    {
      name: 'Hôtel Étoile',
      email: 'direction@etoile.example',
      phone: '+33 1 00 00 00 01',
      path: qualified,
    },
  ],
  quotes: [
    {
      title: 'Spotlights for the spring exhibition',
      customer: 'contact@saintclair.example',
      state: 'accepted',
      lines: [
        ['Track spotlight, dimmable', 24, 'pieces', 186.5],
        ['Installation', 14, 'hours', 68],
      ],
    },
    {
      title: 'Reading lamps',
      customer: 'bonjour@canal.example',
      state: 'rejected',
      lines: [['Desk lamp, brass', 12, 'pieces', 149]],
    },
    {
      title: 'Lobby chandelier',
      customer: 'direction@etoile.example',
      state: 'sent',
      lines: [
        ['Chandelier, blown glass', 1, 'piece', 8_400],
        ['Rigging', 2, 'days', 720],
      ],
    },
    {
      title: 'Corridors, second floor',
      customer: 'direction@etoile.example',
      state: 'draft',
      lines: [['Wall light', 38, 'pieces', 94.9]],
    },
  ],
};

/** Two tenants, so that a person can see that neither sees the other. */
export const demoOrganizations = [nordlysBygg, atelierLumiere] as const;
