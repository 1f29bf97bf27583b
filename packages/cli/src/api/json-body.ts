/** Builds the body of a call that sends JSON. */
export function jsonBody(content: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return { headers: { "content-type": "application/json" }, body: () => bytes };
}
