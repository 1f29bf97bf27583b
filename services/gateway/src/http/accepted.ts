/**
 * How much a client wants each of what a header such as `Accept` names, in lower case: from 1 to 0, which is not at all
 * (RFC 9110, 12.4.2).
 */
export function weightsOf(header: string | null): ReadonlyMap<string, number> {
  const parts = (header ?? "").toLowerCase().split(",");
  return new Map(parts.map(weighed));
}

function weighed(part: string): [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** Whether the client wants what the header names so. */
export function isWanted(header: string | null, name: string): boolean {
  return (weightsOf(header).get(name) ?? 0) > 0;
}
