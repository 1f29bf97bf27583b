import { linesOf } from "../lines.ts";

const COLOURS = ["cyan", "green", "magenta", "blue", "yellow", "orange"] as const;
const REMEMBERED = 20;

/** One stream of lines for many programs, each line behind the name of its program. */
export interface Output {
  line: (name: string, line: string) => void;
  /** Prints what `stream` brings, line by line, until it ends. */
  pipe: (name: string, stream: ReadableStream<Uint8Array>) => Promise<void>;
  /** What `name` said last, oldest first. */
  lastLines: (name: string) => readonly string[];
}

/** `names` are those who may speak: they decide the width and the colours. */
export function createOutput(
  names: readonly string[],
  { colours, write }: { colours: boolean; write: (text: string) => void },
): Output {
  const width = Math.max(...names.map((name) => name.length));
  const remembered = new Map<string, string[]>();

  const prefix = (name: string): string => {
    const padded = `${name.padEnd(width)} |`;
    if (!colours) return padded;
    const colour = COLOURS[Math.max(names.indexOf(name), 0) % COLOURS.length] ?? "white";
    return `${Bun.color(colour, "ansi-256")}${padded}\u001B[0m`;
  };

  const line = (name: string, text: string): void => {
    const last = remembered.get(name) ?? [];
    remembered.set(name, [...last, text].slice(-REMEMBERED));
    write(`${prefix(name)} ${text}\n`);
  };

  return {
    line,
    pipe: async (name, stream) => {
      for await (const text of linesOf(stream)) line(name, text);
    },
    lastLines: (name) => remembered.get(name) ?? [],
  };
}
