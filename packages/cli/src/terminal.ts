/** How what is printed can look. */
export interface Look {
  /** In columns. */
  width: number;
  colours: boolean;
}

/** What a command has of the process that it runs in. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Of the standard output. */
  readonly look: Look;
  /** Writes a result to the standard output, as it is. */
  print(text: string): void;
  /** Writes a message of one line to the standard error. */
  tell(message: string): void;
  /** All of the standard input. */
  readInput(): AsyncIterable<Uint8Array>;
}

/** Without a terminal there is nothing to fit into. */
const PLAIN_WIDTH = 120;

/** How a stream can look. `NO_COLOR` counts when it isn't empty (no-color.org). */
export function lookOf(
  { isTTY = false, columns = PLAIN_WIDTH }: { isTTY?: boolean; columns?: number },
  env: Terminal["env"],
): Look {
  return {
    width: isTTY ? columns : PLAIN_WIDTH,
    colours: isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb",
  };
}
