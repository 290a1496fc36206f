/** The address of the file of rows that an import left out. */
export const leftOutHref = (id: string): string => `/api/leads/imports/${id}/left-out`;
