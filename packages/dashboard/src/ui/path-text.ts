/** Formats a path in a resource: `rule[0].port`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}
