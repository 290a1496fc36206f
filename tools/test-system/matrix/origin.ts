/** The origin of the front end, as the services are configured. */
export const ownOrigin = 'https://app.matrix.example';
