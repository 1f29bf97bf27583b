import { requestLine } from "../api/change-request.ts";
import { plain } from "../api/refusal.ts";
import type { Terminal } from "../terminal.ts";
import type { SettledChange, SettleResult } from "./result.ts";

/** Characters that would control the terminal, or end a command. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Prints the patch or the commands to standard output, so that `git apply` and a shell can read them. */
export function show(
  result: SettleResult,
  { terminal, written, asJson }: { terminal: Terminal; written: readonly string[]; asJson: boolean },
): void {
  const { patch, changes } = result;
  if (asJson) return terminal.print(`${JSON.stringify(result, null, 2)}\n`);
  const commands = changes.flatMap((change) => change.commands ?? []);
  for (const line of written.length > 0 ? written : commands)
    terminal.print(`${line.replaceAll(CONTROL, " ")}\n`);
  if (written.length === 0) terminal.print(patch);
  for (const change of changes) for (const line of linesFor(change)) terminal.log(plain(line));
}

function linesFor({ name, explanation, refused, change_request: request }: SettledChange): string[] {
  const { path, line } = refused ?? {};
  const place = path === undefined ? "" : `${path}${line === undefined ? "" : `:${line}`}: `;
  const lines = [refused ? `refused: ${name}: ${place}${refused.message}` : `${name}: ${explanation}`];
  if (request) lines.push(requestLine(request));
  return lines;
}
