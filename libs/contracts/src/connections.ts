/** The most connections of an organization. */
export const connectionsMax = 5;
