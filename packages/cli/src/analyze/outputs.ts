import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import { usage, type Given } from "../arguments.ts";
import { Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { parseFormat, render, type Format } from "./formats.ts";

const FILE_LOOK = { width: 120, colours: false };

/** A report, and the file that it goes to; without one, the standard output. */
export interface Output {
  format: Format;
  file?: string;
}

/** What `--report FORMAT=FILE` asks for, each time that it is given. @throws {Failure} `usage` */
export function reportsOf(given: Given): Output[] {
  return given.all("--report").map((raw) => {
    const [, format = "", file = ""] = /^([^=]*)=(.+)$/s.exec(raw) ?? [];
    if (file === "") throw usage(given.command, "--report must be FORMAT=FILE, such as sarif=leeway.sarif");
    return { format: formatOf(format, given.command), file };
  });
}

/** Writes every output, folders included. @throws {Failure} that names the file that can't be written. */
export async function writeOutputs(
  outputs: readonly Output[],
  result: AnalyzeResult,
  { context, terminal }: { context: AnalysisContext; terminal: Terminal },
): Promise<void> {
  for (const { format, file } of outputs) {
    if (file === undefined) terminal.print(render(format, result, { context, look: terminal.look }));
    else {
      // GitHub shows all that a step puts in there, of other commands and projects too.
      const put = file === terminal.env["GITHUB_STEP_SUMMARY"] ? appendFile : writeFile;
      await write(file, render(format, result, { context, look: FILE_LOOK }), put);
    }
  }
}

async function write(file: string, text: string, put: typeof writeFile): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await put(file, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Failure("refused", `${file} can't be written${code}`, { cause: error });
  }
}

function formatOf(raw: string, command: string): Format {
  try {
    return parseFormat(raw);
  } catch (error) {
    throw usage(command, `--report: the format ${error instanceof Error ? error.message : "is wrong"}`);
  }
}
