/** A lead as POST /api/leads takes it, and the status moves that follow. */
interface DemoLead {
  name: string;
  email: string;
  phone?: string;
  source?: string;
  notes?: string;
  path: readonly string[];
}

/** An organization with its owner, colleagues and leads. */
export interface DemoOrganization {
  name: string;
  /** Also the name of its logo in `demo-logos`. */
  slug: string;
  /** How it signs its quotes, in which currency and with how much VAT. */
  settings: object;
  owner: { name: string; email: string };
  colleagues: readonly { firstName: string; lastName: string; email: string }[];
  leads: readonly DemoLead[];
}

const contacted = ['contacted'] as const;
const qualified = [...contacted, 'qualified'] as const;
const won = [...qualified, 'won'] as const;
const lost = [...contacted, 'lost'] as const;

/** Two tenants, so that a person can see that neither sees the other. */
export const demoOrganizations = [
  {
    name: 'Nordlys Bygg',
    slug: 'nordlys-bygg',
    settings: {
      timeZone: 'Europe/Oslo',
      address: { lines: ['Verkstedgata 4'], postalCode: '0554', city: 'Oslo', country: 'NO' },
      vatNumber: 'NO556012579MVA',
      defaultCurrency: 'NOK',
    },
    owner: { name: 'Ingrid Solberg', email: 'ingrid@nordlys.example' },
    colleagues: [{ firstName: 'Lars', lastName: 'Øverby', email: 'lars@nordlys.example' }],
    leads: [
      {
        name: 'Åse Lindqvist',
        email: 'ase@lindqvist.example',
        phone: '+47 22 00 00 01',
        source: 'website',
        path: [],
      },
      {
        name: 'Erik Dahl',
        email: 'erik@dahl.example',
        source: 'referral',
        notes: 'Wants the roof done before the winter.',
        path: contacted,
      },
      {
        name: 'Fjord Eiendom AS',
        email: 'post@fjordeiendom.example',
        phone: '+47 22 00 00 02',
        path: qualified,
      },
      { name: 'Maja Berg', email: 'maja@berg.example', source: 'trade fair', path: won },
      { name: 'Jonas Vik', email: 'jonas@vik.example', path: lost },
    ],
  },
  {
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
      {
        name: 'Hôtel Étoile',
        email: 'direction@etoile.example',
        phone: '+33 1 00 00 00 01',
        path: qualified,
      },
      { name: 'José Álvarez', email: 'jose@alvarez.example', source: 'website', path: contacted },
      { name: 'Zoë Müller', email: 'zoe@mueller.example', notes: 'Call after 16:00.', path: [] },
    ],
  },
] as const satisfies readonly DemoOrganization[];
