/** A piece of text, and whether only one of the two versions has it. */
export interface Piece {
  text: string;
  differs: boolean;
}

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Limit for the word comparison, which takes quadratic time. Longer texts compare only their common start and end. */
const MAX_WORDS = 400;

/** Splits two versions of a text into pieces, word by word; each side's pieces together are its text. */
export function marked(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const [old, fresh] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const middles = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)] as const;
  const common = middles.some(({ length }) => length > MAX_WORDS) ? [] : commonWords(...middles);
  return { before: pieces(old, start, end, common), after: pieces(fresh, start, end, common) };
}

/** Returns the longest common sequence of words, by dynamic programming. */
function commonWords(old: readonly string[], fresh: readonly string[]): string[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row) row[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    const word = old[i];
    if (word !== undefined && word === fresh[j]) {
      common.push(word);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}

function pieces(words: readonly string[], start: number, end: number, common: readonly string[]): Piece[] {
  const found: Piece[] = [];
  let next = 0;
  words.forEach((text, index) => {
    const isMiddle = index >= start && index < words.length - end;
    const isCommon = isMiddle && text === common[next];
    if (isCommon) next += 1;
    const differs = isMiddle && !isCommon;
    const last = found.at(-1);
    if (last?.differs === differs) last.text += text;
    else found.push({ text, differs });
  });
  return found;
}
