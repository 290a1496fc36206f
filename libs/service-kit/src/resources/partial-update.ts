/**
 * The methods of a route that changes the fields its body names and leaves the rest: PATCH (RFC 5789), and PUT for
 * clients of the published contract.
 *
 * @example app.route({ method: partialUpdate(), url: '/api/leads/:id', config, schema, handler });
 */
export function partialUpdate(): ['PUT', 'PATCH'] {
  return ['PUT', 'PATCH'];
}
