/** The first pages of an answer, as far as anybody wants to wait for them. */
export async function firstPages<T>(pages: AsyncIterable<T>, most: number): Promise<T[]> {
  const first: T[] = [];
  for await (const page of pages) {
    first.push(page);
    if (first.length === most) break;
  }
  return first;
}
