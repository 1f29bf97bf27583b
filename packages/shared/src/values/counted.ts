/** Formats a number with separators, such as 30,003. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a count and its noun, such as `1 file` and `2,000 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
