import { composed } from '@tenantry/text';
import { fieldsOf } from '@tenantry/tables';
import { leadTexts, textLengths, type LeadText } from '../leads/lead-texts.ts';

/** A value that is not longer than its field. */
const within = (field: LeadText) => (text: string) =>
  Array.from(composed(text)).length <= textLengths[field] ? text : undefined;

/** The texts of a lead as fields of a file, with the words for columns that only leads have. */
export const leadFields = fieldsOf(
  leadTexts,
  {
    source: `source leadsource leadsourcename origin channel originalsource originaltrafficsource trafficsource sourcechannel
    originalsourcetype latestsource latesttrafficsource sourcetype kalla leadkalla ursprung ursprungligkalla
    ursprungligtrafikkalla trafikkalla kanal kilde leadkilde opprinnelse lahde quelle leadquelle herkunft herkunftsquelle
    ursprunglichequelle ursprunglichetrafficquelle bron leadbron herkomst sourcedulead sourcedetrafic origine sourcedorigine
    provenance fuente origen fuentedellead fuenteoriginal canal fonte fontedolead origem fontedellead origineoriginale zrodlo
    zrodloleada`,
  },
  { kept: { phone: within('phone'), source: within('source') }, notesLength: textLengths.notes },
);
