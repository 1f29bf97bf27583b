const LONGEST = 64;

/**
 * Returns the candidate that `word` probably stands for: a few letters away, or beginning with it; undefined if there
 * is none.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < 2 || word.length > LONGEST) return undefined;
  const most = Math.max(1, Math.floor(word.length / 3));
  const small = word.toLowerCase();
  const near = [...candidates]
    .map((candidate) => ({ candidate, edits: edits(small, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= most || isBeginning(small, candidate.toLowerCase()))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.candidate;
}

function isBeginning(word: string, candidate: string): boolean {
  return word.length > 2 && candidate.startsWith(word);
}

/** Counts letters to insert, delete, replace or swap with their neighbor (optimal string alignment). */
function edits(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [cost(last, column) + 1, cost(current, column - 1) + 1];
      costs.push(cost(last, column - 1) + (isSame ? 0 : 1));
      if (isSwap) costs.push(cost(before, column - 2) + 1);
      current.push(Math.min(...costs));
    }
    [before, last] = [last, current];
  }
  return cost(last, to.length);
}

function cost(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
