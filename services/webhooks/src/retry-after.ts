/** Returns the seconds in a response's Retry-After header (RFC 9110); undefined without a valid one. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const after = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(after)) return Number(after);
  const at = Date.parse(after);
  return Number.isNaN(at) ? undefined : (at - now) / 1000;
}
