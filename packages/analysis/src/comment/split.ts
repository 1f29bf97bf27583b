import { partMarker } from "./marker.ts";

/** Lines that belong together, with the text around them in every part: a table's head, a fold. */
export interface Section {
  open: string;
  lines: readonly string[];
  close: string;
}

/** One comment on the code host. */
export interface CommentPart {
  marker: string;
  body: string;
}

/** Maximum number of comments for one plan; a host's API accepts no more. */
export const MAX_PARTS = 20;
const LEFT_OUT = "\n\n**This comment is at its limit. The report contains the rest.**";

/**
 * Splits sections into comments of at most `limit` characters, each with its marker on the first line. A section that
 * spans parts is closed at the end of one and reopened in the next. Lines are never cut, because half of a code span
 * would be active text.
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
    const last = this.#done[MAX_PARTS - 1];
    if (this.#done.length <= MAX_PARTS || last === undefined) return this.#done;
    return [...this.#done.slice(0, MAX_PARTS - 1), { ...last, body: last.body + LEFT_OUT }];
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
