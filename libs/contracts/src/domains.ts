/** The most domains of an organization. */
export const domainsMax = 20;
