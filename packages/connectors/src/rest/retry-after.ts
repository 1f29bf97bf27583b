/** Returns the wait in a `Retry-After` header (RFC 9110, 10.2.3), in milliseconds; undefined if there is none. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const written = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(written)) return Number(written) * 1000;
  const at = /^[A-Z][a-z]{2}, /.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
