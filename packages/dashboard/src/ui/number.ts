const whole = new Intl.NumberFormat("en");
const share = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A count, with its thousands apart. */
export function countText(count: number): string {
  return whole.format(count);
}

/** A share of a hundred; nothing but all is shown as 100 %, nothing but none as 0 %. */
export function percentText(percent: number): string {
  if (percent > 99.9 && percent < 100) return "99.9 %";
  if (percent > 0 && percent < 0.1) return "0.1 %";
  return `${share.format(percent)} %`;
}

/** `1 row`, `2 rows`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
