import { compact } from './column-kinds.ts';

/** Programs whose files are known by the names of their columns. */
export const programs = [
  ...([
    'own',
    'hubspot',
    'salesforce',
    'pipedrive',
    'google',
    'outlook',
    'linkedin',
    'fortnox',
    'visma',
  ] as const),
  'contactCards',
] as const;
export type Program = (typeof programs)[number];

/** Columns that a program has and others have not, as {@link compact} writes them; so many of them make a file its own. */
const signs: readonly (readonly [program: Program, least: number, columns: string])[] = [
  [
    'google',
    2,
    'email1value phone1value email1label email1type givennameyomi groupmembership phoneticfirstname fileas',
  ],
  ['linkedin', 2, 'connectedon url kopplad verbundenam connectele position'],
  [
    'outlook',
    2,
    `email3address businessphone2 homephone2 carphone internetfreebusy givenyomi surnameyomi epostadresstyp
     businessstreet businesspostalcode homestreet otherstreet emaildisplayname email2address emailtype directoryserver
     gatuadressarbete postnummerarbete eposttyp epostvisningsnamn epost2adress
     strassegeschaftlich emailtyp emailangezeigtername email2adresse ortgeschaftlich
     typedemessagerie ruebureau calledelnegocio calledeltrabajo tipodecorreoelectronico werkadresstraat typeemailadres
     viaufficio tipopostaelettronica gadearbejde gatearbeid lahiosoitetyo ruacomercial`,
  ],
  [
    'hubspot',
    2,
    `recordid lifecyclestage contactowner marketingcontactstatus originaltrafficsource lastactivitydate createdate
     associatedcompany associatedcompanyids leadstatus hsobjectid hubspotowner hsleadstatus inhaberdeskontakts
     postid livscykelfas kontaktagare ursprungligtrafikkalla datensatzid lebenszyklusphase
     kontaktzustandiger iddelenregistrement phaseducycledevie iddelregistro etapadelciclodevida`,
  ],
  [
    'salesforce',
    2,
    `leadid leadowner leadsource companyaccount accountname leadstatus masterrecordid isconverted isdeleted mailingstreet
     accountowner contactid accountid emailoptout createdalias salutation rating leadagare leadinhaber`,
  ],
  [
    'fortnox',
    3,
    'kundnr kundnamn erreferens varreferens epostfaktura epostorder epostoffert vatnummer kundnummer namn namn2',
  ],
  [
    'visma',
    2,
    'kundnummer kundnr fakturaadress faktureringsadress betalningsvillkor gln epostkontaktperson kundtyp rabattavtal',
  ],
];

/**
 * The program whose columns these are; undefined if none is known. Pipedrive writes before each column what it is of.
 *
 * @param own the columns of the service's own export, two thirds of which make a file one
 */
export function programOf(header: readonly string[], own: readonly string[]): Program | undefined {
  const owned = header.filter((name) => /^\p{L}+ - \p{L}/u.test(name.trim()));
  if (owned.length > 1 && owned.length > header.length / 2) return 'pipedrive';
  const names = new Set(header.map(compact));
  const ownSigns = ['own', Math.ceil((2 / 3) * own.length), own.map(compact).join(' ')] as const;
  const found = [ownSigns, ...signs]
    .map(([program, least, columns]) => {
      const count = columns.split(/\s+/).filter((column) => names.has(column)).length;
      return { program, count: count >= least ? count : 0 };
    })
    .toSorted((one, other) => other.count - one.count)[0];
  return found !== undefined && found.count > 0 ? found.program : undefined;
}
