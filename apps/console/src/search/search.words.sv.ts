import type { SearchWords } from './search.words.en.ts';

export const words: SearchWords = {
  open: 'Sök',
  title: 'Sök och kommandon',
  label: 'Sök, eller skriv vad du vill göra',
  results: 'Träffar',
  nothingFound: 'Inga träffar.',
  incomplete: 'Alla träffar kunde inte läsas in.',
  number: (results) => (results === 1 ? '1 träff' : `${results} träffar`),
  groups: {
    commands: 'Kommandon',
    leads: 'Leads',
    quotes: 'Offerter',
    customers: 'Kunder',
    people: 'Personer',
  },
  commands: {
    newLead: 'Nytt lead',
    newQuote: 'Ny offert',
    serviceAccounts: 'Tjänstekonton och nycklar',
    domains: 'Domäner och enkel inloggning',
    account: 'Ditt konto',
    newOrganization: 'Ny organisation',
    switchTo: (name) => `Byt till ${name}`,
    keys: 'Kortkommandon',
    signOut: 'Logga ut',
  },
  help: {
    title: 'Kortkommandon',
    palette: 'Sök och kommandon',
    undo: 'Ångra det senaste',
    search: 'Sök på sidan',
    help: 'Den här listan',
    go: (page) => `Gå till ${page}`,
    single: 'Kortkommandon med en enda tangent',
    singleHint:
      'Stäng av dem om något annat trycker på tangenter, till exempel taligenkänning. Ctrl K fungerar alltid.',
    close: 'Stäng',
    key: 'Tangenter',
    does: 'Vad de gör',
  },
};
