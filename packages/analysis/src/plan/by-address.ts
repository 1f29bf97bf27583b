/** How to sort addresses as people count: `web[2]` stands before `web[10]`. */
export function byAddress(one: string, other: string): number {
  const start = commonStart(one, other);
  const [number, otherNumber] = [one, other].map((address) => /^\d{1,15}/.exec(address.slice(start))?.[0]);
  const difference = Number(number) - Number(otherNumber);
  if (difference) return difference;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** How much two texts have in common, without digits of a number that goes on. */
function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  while (at > 0 && /\d/.test(one[at - 1] ?? "")) at -= 1;
  return at;
}
