import { foldText, loosen } from '@tenantry/text';

/** A text as searches of the services compare it. */
export const folded = (text: string): string => loosen(foldText(text));
