/** Capabilities of standard output. */
export interface Look {
  /** Width in columns. */
  width: number;
  colours: boolean;
}

/** Environment, streams and time display of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Capabilities of standard output. */
  readonly look: Look;
  /** Writes a result to standard output, unchanged. */
  print(text: string): void;
  /** Writes a one-line message to standard error. */
  log(message: string): void;
  /** Shows the activity and elapsed seconds while `work` runs, if standard error is a terminal. */
  during<T>(activity: string, work: () => Promise<T>): Promise<T>;
  /** Reads all of standard input. */
  readInput(): AsyncIterable<Uint8Array>;
}

/** Width for files, pipes and terminals of unknown width. */
const PLAIN_WIDTH = 120;

/** Returns the capabilities of a stream. `NO_COLOR` counts if it isn't empty (no-color.org). */
export function lookOf(
  { isTTY = false, columns = 0 }: { isTTY?: boolean; columns?: number },
  env: Terminal["env"],
): Look {
  return {
    width: (isTTY && columns) || PLAIN_WIDTH,
    colours: isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb",
  };
}

const ERASE_LINE = "\r\u001B[2K";

/** Writes messages to standard error. A running activity stays on the last line, below them. */
export function messagesOn(
  stream: { isTTY?: boolean; columns?: number; write(text: string): unknown },
  env: Terminal["env"],
): Pick<Terminal, "log" | "during"> {
  const write = (message: string): void => void stream.write(`leeway: ${message}\n`);
  if (!stream.isTTY || env["TERM"] === "dumb") return { log: write, during: (_, work) => work() };
  let draw: (() => void) | undefined;
  return {
    log(message) {
      if (draw) stream.write(ERASE_LINE);
      write(message);
      draw?.();
    },
    async during(activity, work) {
      const started = performance.now();
      draw = (): void => {
        const seconds = Math.floor((performance.now() - started) / 1000);
        const line = seconds === 0 ? `${activity} …` : `${activity} … ${seconds} s`;
        stream.write(ERASE_LINE + line.slice(0, (stream.columns || PLAIN_WIDTH) - 1));
      };
      draw();
      const timer = setInterval(draw, 1000);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        draw = undefined;
        stream.write(ERASE_LINE);
      }
    },
  };
}
