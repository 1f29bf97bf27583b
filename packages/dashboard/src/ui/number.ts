const whole = new Intl.NumberFormat("en");
const share = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Formats a count with thousands separators. */
export function countText(count: number): string {
  return whole.format(count);
}

/** Formats a percentage; only exact values are shown as 100 % or 0 %. */
export function percentText(percent: number): string {
  if (percent > 99.9 && percent < 100) return "99.9 %";
  if (percent > 0 && percent < 0.1) return "0.1 %";
  return `${share.format(percent)} %`;
}

const difference = new Intl.NumberFormat("en", { maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Formats a difference of two percentages, such as `+2.5 points`. */
export function pointsText(points: number): string {
  return `${difference.format(points)} points`;
}

/** Formats a count with its noun: `1 row`, `2 rows`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
