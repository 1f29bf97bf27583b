import { linesOf } from "../lines.ts";

const COLOURS = ["cyan", "green", "magenta", "blue", "yellow", "orange"] as const;
const REMEMBERED = 20;

/** Output of several programs. All of it goes to the log; the terminal shows what `up` itself says. */
export interface Output {
  line: (name: string, line: string) => void;
  /** Shows `title` while `work` runs, then how long it took. */
  step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
  /** Logs the lines of `stream` until it ends. */
  pipe: (name: string, stream: ReadableStream<Uint8Array>) => Promise<void>;
  /** Returns the last lines of a program, oldest first. */
  lastLines: (name: string) => readonly string[];
}

interface OutputOptions {
  /** Program whose lines are shown on the terminal. */
  own: string;
  /** Shows the lines of all programs, with their names. */
  all: boolean;
  colours: boolean;
  /** Writes to the terminal. */
  write: (text: string) => void;
  /** Writes to the log. */
  log: (text: string) => void;
}

/** Creates an output. @param names the programs; they determine the width and the colours */
export function createOutput(names: readonly string[], options: OutputOptions): Output {
  const { own, all, write, log } = options;
  const width = Math.max(...names.map((name) => name.length));
  const remembered = new Map<string, string[]>();
  /** Whether a step's title is on the terminal's last line. */
  let isOpen = false;

  function show(name: string, text: string): void {
    if (all) return write(`${prefix(name)} ${text}\n`);
    if (name !== own) return;
    write(`${isOpen ? "\n" : ""}${text}\n`);
    isOpen = false;
  }

  function prefix(name: string): string {
    const padded = `${name.padEnd(width)} |`;
    if (!options.colours) return padded;
    const colour = COLOURS[Math.max(names.indexOf(name), 0) % COLOURS.length] ?? "white";
    return `${Bun.color(colour, "ansi-256")}${padded}\u001B[0m`;
  }

  function note(name: string, text: string): void {
    remembered.set(name, [...(remembered.get(name) ?? []), text].slice(-REMEMBERED));
    log(`${name.padEnd(width)} | ${text}\n`);
  }

  const line = (name: string, text: string): void => {
    note(name, text);
    show(name, text);
  };

  return {
    line,
    async step(title, work) {
      const since = performance.now();
      note(own, `${title}: starting`);
      if (all) show(own, `${title}: starting`);
      else write(`${title} …`);
      isOpen = !all;
      const result = await work();
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      note(own, `${title}: ready after ${seconds} s`);
      if (!isOpen) show(own, `${title}: ready after ${seconds} s`);
      else write(` ${seconds} s\n`);
      isOpen = false;
      return result;
    },
    pipe: async (name, stream) => {
      for await (const text of linesOf(stream)) line(name, text);
    },
    lastLines: (name) => remembered.get(name) ?? [],
  };
}
