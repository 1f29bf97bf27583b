/** Finds the ends of values in one text. */
export interface Ends {
  /** Index of the mark that closes the quotation `opener`; -1 if none does. */
  closer(opener: string, from: number): number;
  /** Index of the end of an unquoted word. */
  word(from: number): number;
  /** Index of the next line feed, or the text's length. */
  line(from: number): number;
}

/** Checks whether the quotation mark at `at` closes its kind of quotation. */
type Closes = (text: string, at: number) => boolean;

/** End of a word: a comma, closing bracket or backslash ends it only if the word doesn't continue after it. */
const WORD_END = /[\s"';&]|[,}\]\\](?=[\s"';&,}\]\\]|$)/g;

/**
 * Creates the search for ends in `text`. Callers ask for ascending positions, so each kind of search passes through
 * the text once. That holds even if many values share an end or have none.
 */
export function createEnds(text: string): Ends {
  const closers = new Map<string, Search>();
  const word = createSearch((from) => firstMatch(WORD_END, text, from));
  const line = createSearch((from) => text.indexOf("\n", from));

  function search(key: string, opener: string, closes: Closes): Search {
    const known = closers.get(key) ?? createSearch((from) => firstClosing(text, opener, closes, from));
    closers.set(key, known);
    return known;
  }

  return {
    closer(opener, from) {
      const strict = search(`${opener} strictly`, opener, closesOf(opener))(from);
      return strict === -1 ? search(opener, opener, () => true)(from) : strict;
    },
    word: (from) => orEnd(word(from), text),
    line: (from) => orEnd(line(from), text),
  };
}

type Search = (from: number) => number;

/** Remembers the last match, which is also the answer for every position between that question and the match. */
function createSearch(search: Search): Search {
  let [asked, found] = [0, -2];
  return (from) => {
    if (found === -2 || from < asked || (found !== -1 && from > found)) {
      found = search(from);
      asked = from;
    }
    return found;
  };
}

function firstMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function firstClosing(text: string, opener: string, closes: Closes, from: number): number {
  let at = text.indexOf(opener, from);
  while (at !== -1 && !closes(text, at)) at = text.indexOf(opener, at + 1);
  return at;
}

/**
 * Returns the check for a closing mark. A quotation may contain escaped marks, and doubled ones if it is single. An
 * escaped opener needs the same closer.
 */
function closesOf(opener: string): Closes {
  if (opener === "'") return (text, at) => !isDoubled(text, at) && !isEscaped(text, at);
  return opener === '"' ? (text, at) => !isEscaped(text, at) : (text, at) => text[at - 1] !== "\\";
}

function isDoubled(text: string, at: number): boolean {
  return text[at + 1] === "'" || text[at - 1] === "'";
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function orEnd(found: number, text: string): number {
  return found === -1 ? text.length : found;
}
