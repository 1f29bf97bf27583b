import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import { locate, type Locations } from "@leeway/analysis/report/locations";
import type { AnalyzeResult, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import { loadFlags, usage, type Environment, type Given } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { findCode } from "./code.ts";
import { REPORT_FLAGS } from "./flags.ts";
import { LOCATED, parseFormat, render, type Format } from "./formats.ts";

const FILE_LOOK = { width: 120, colours: false };
/** Rows printed to a terminal, worst first; files contain all rows. */
const MAX_PRINTED = 50;

/** A report and its file; without a file it goes to standard output. */
export interface Output {
  format: Format;
  file?: string;
  minRisk: RiskLevel | undefined;
}

/**
 * Returns all outputs: each `--report FORMAT=FILE`, and `--format` with `--output`.
 * @throws {Failure} `usage`
 */
export function outputsOf(given: Given, env: Environment): Output[] {
  const { "--format": format, "--output": file, "--min-risk": minRisk } = loadFlags(REPORT_FLAGS, given, env);
  const outputs = [...reportsOf(given), { format, ...(file !== undefined && { file }) }];
  if (minRisk !== undefined && !outputs.some((one) => one.format === "table")) {
    throw usage(given.command, "--min-risk applies to tables only, and no output is a table");
  }
  return outputs.map((one) => ({ ...one, minRisk }));
}

/** Returns whether a table is printed to standard output, where it ends with the verdict. */
export function isTablePrinted(outputs: readonly Output[]): boolean {
  return outputs.some(({ format, file }) => format === "table" && file === undefined);
}

function reportsOf(given: Given): { format: Format; file: string }[] {
  return given.all("--report").map((raw) => {
    const [, format = "", file = ""] = /^([^=]*)=(.+)$/s.exec(raw) ?? [];
    if (file === "") throw usage(given.command, "--report must be FORMAT=FILE, such as sarif=leeway.sarif");
    return { format: formatOf(format, given.command), file };
  });
}

/**
 * Writes every output and creates its folder.
 * @throws {Failure} that names the file that can't be written
 */
export async function writeOutputs(
  outputs: readonly Output[],
  result: AnalyzeResult,
  { context, terminal }: { context: AnalysisContext; terminal: Terminal },
): Promise<void> {
  const isLocated = outputs.some(({ format }) => LOCATED.has(format));
  const locations = isLocated ? await locationsOf(result, context, terminal) : new Map();
  for (const { format, file, minRisk } of outputs) {
    if (file === undefined) {
      const look = { ...terminal.look, minRisk, maxRows: MAX_PRINTED };
      terminal.print(render(format, result, { context, look, locations }));
    } else {
      // GitHub's step summary also collects the output of other commands and projects.
      const put = file === terminal.env["GITHUB_STEP_SUMMARY"] ? appendFile : writeFile;
      await write(file, render(format, result, { context, look: { ...FILE_LOOK, minRisk }, locations }), put);
    }
  }
}

/** Locates findings in the code. Locations are optional: without them, reports point to the project's main.tf. */
async function locationsOf(
  { findings }: AnalyzeResult,
  { project }: AnalysisContext,
  { env, during }: Terminal,
): Promise<Locations> {
  try {
    const addresses = findings.map(({ address }) => address);
    return await during("finding the code", async () => {
      const code = await findCode(project?.dir, env);
      return code ? locate(addresses, code) : new Map();
    });
  } catch {
    return new Map();
  }
}

async function write(file: string, text: string, put: typeof writeFile): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await put(file, text);
  } catch (error) {
    throw new Failure("refused", `can't write ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

function formatOf(raw: string, command: string): Format {
  try {
    return parseFormat(raw);
  } catch (error) {
    throw usage(command, `the format of --report ${error instanceof Error ? error.message : "is unknown"}`);
  }
}
