/**
 * Returns the weight of each name in a header such as `Accept`, in lower case: from 1 to 0, where 0 means not
 * acceptable (RFC 9110, 12.4.2).
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

/** Checks whether the header accepts this name. */
export function isWanted(header: string | null, name: string): boolean {
  return (weightsOf(header).get(name) ?? 0) > 0;
}

/** Checks whether the header asks for this media type, and for JSON at most as much. */
export function prefers(header: string | null, type: string): boolean {
  const weights = weightsOf(header);
  const weight = weights.get(type) ?? 0;
  const plain = ["application/json", "application/*", "*/*"].find((range) => weights.has(range)) ?? "";
  return weight > 0 && weight >= (weights.get(plain) ?? 0);
}
