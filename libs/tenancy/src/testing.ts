export { definedStatements } from './statement.ts';
export { exchangeDifferences } from './testing/exchange-differences.ts';
export { searchForms } from './testing/search-forms.ts';
