import { partMarker } from "./marker.ts";

/** Lines that belong together, and what surrounds them wherever they stand: a table's head, a fold. */
export interface Section {
  open: string;
  lines: readonly string[];
  close: string;
}

/** One comment of the code host. */
export interface CommentPart {
  marker: string;
  body: string;
}

/** What a comment may be made of at most; a host's API takes no more. */
export const MOST_PARTS = 20;
const LEFT_OUT = "\n\n**The rest is left out here: the job's result has all of it.**";

/**
 * Sections as comments of at most `limit` characters, each with its marker as its first line. A section that is
 * divided is closed at the end of a part and opened again in the next one. Lines are never cut: half of a piece of
 * code would be text that can act.
 */
export function split(
  sections: readonly Section[],
  { marker, limit, title }: { marker: string; limit: number; title: string },
): CommentPart[] {
  const parts = new Parts({ marker, limit, title });
  for (const section of sections) parts.add(section);
  return parts.done();
}

class Parts {
  readonly #done: CommentPart[] = [];
  readonly #marker: string;
  readonly #limit: number;
  readonly #title: string;
  #text: string;
  #close = "";

  constructor({ marker, limit, title }: { marker: string; limit: number; title: string }) {
    [this.#marker, this.#limit, this.#title] = [marker, limit - LEFT_OUT.length, title];
    this.#text = marker;
  }

  add({ open, lines, close }: Section): void {
    const [first = ""] = lines;
    if (!this.#fits(`\n\n${open}${first}${close}`)) this.#next();
    this.#append(`\n\n${open}`, close);
    for (const [index, line] of lines.entries()) {
      const before = index === 0 ? "" : "\n";
      if (this.#fits(before + line)) this.#append(before + line, close);
      else {
        this.#next();
        this.#append(`\n\n${open}`, close);
        this.#append(line, close);
      }
    }
    this.#text += close;
    this.#close = "";
  }

  done(): CommentPart[] {
    this.#next();
    const last = this.#done[MOST_PARTS - 1];
    if (this.#done.length <= MOST_PARTS || last === undefined) return this.#done;
    return [...this.#done.slice(0, MOST_PARTS - 1), { ...last, body: last.body + LEFT_OUT }];
  }

  #room(): number {
    return this.#limit - this.#text.length - this.#close.length;
  }

  #fits(text: string): boolean {
    return text.length <= this.#room();
  }

  #append(text: string, close: string): void {
    this.#text += text;
    this.#close = close;
  }

  #next(): void {
    const number = this.#done.length + 1;
    const marker = number === 1 ? this.#marker : partMarker(this.#marker, number);
    this.#done.push({ marker, body: this.#text + this.#close });
    this.#text = `${partMarker(this.#marker, number + 1)}\n${this.#title}, part ${number + 1}`;
    this.#close = "";
  }
}
