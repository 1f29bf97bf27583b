/** What a command has of the process that it runs in. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Writes a result to the standard output, as it is. */
  print(text: string): void;
  /** Writes a message of one line to the standard error. */
  tell(message: string): void;
  /** All of the standard input. */
  readInput(): AsyncIterable<Uint8Array>;
}
