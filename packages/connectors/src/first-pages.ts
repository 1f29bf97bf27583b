/** Returns the first pages of an answer, at most `most`. */
export async function firstPages<T>(pages: AsyncIterable<T>, most: number): Promise<T[]> {
  const first: T[] = [];
  for await (const page of pages) {
    first.push(page);
    if (first.length === most) break;
  }
  return first;
}
