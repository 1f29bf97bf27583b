import {
  ADOPTION_TOOLS,
  type AdoptedResource,
  type Adoption,
} from "@leeway/shared/contracts/inventory/adoptions";

import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import { choice, flag, HELP, loadFlags, maybe, readArguments, type Syntax } from "../arguments.ts";
import { accountNamed } from "../drift/inputs.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { adoptFiles } from "./from-files.ts";
import { adoptOnServer } from "./from-server.ts";
import { writeFiles } from "./write-files.ts";

const API_FLAGS = apiFlags(120);
const FLAGS = {
  "--state": flag(
    "FILE",
    maybe("state of Terraform, OpenTofu, Pulumi or CloudFormation; repeatable, also a pattern", String),
  ),
  "--listing": flag("FILE", maybe("list of an account's live resources; repeatable, also a pattern", String)),
  "--account": flag(
    "PROVIDER:EXTERNAL_ID",
    maybe("account of the listings, if they name none; with a server: only this account", accountNamed),
  ),
  "--only": flag("TEXT", maybe("only resources with this id, name or type; repeatable", String)),
  "--into": flag(
    "FILE|SOURCE",
    maybe("state, or source of the server, whose code the new code joins; default: the only one", String),
  ),
  "--tool": flag("TOOL", choice("tool that the code's comments name", ADOPTION_TOOLS, "terraform")),
  "--out": flag("DIR", maybe("write the files below this folder", String)),
};

export const ADOPT: Syntax = {
  command: "adopt",
  about: [
    "Turns undeclared resources into Terraform code with import blocks. With --state and --listing it needs no server",
    "and no network; files may be gzipped, - is standard input. Without them it asks the server, which knows the",
    "resources. Without --out the code goes to standard output.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: {
    "--json": "print the result with each resource's status as JSON",
    "--force": "overwrite files in --out",
    ...API_SWITCHES,
  },
  exits: Object.values(EXITS),
};

/**
 * Runs `leeway adopt`.
 * @returns the exit code
 * @throws {Failure} that names the file that can't be read or written, or why the server refuses
 */
export async function adopt(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(ADOPT, args);
  if (given.isOn(HELP)) {
    terminal.print(help(ADOPT));
    return EXITS.ok.code;
  }
  const { "--out": out, ...values } = loadFlags(FLAGS, given, terminal.env);
  const options = { account: values["--account"], into: values["--into"], tool: values["--tool"] };
  const isLocal = ["--state", "--listing"].some((name) => given.all(name).length > 0);
  const adoption = isLocal
    ? await adoptFiles(given, options, terminal)
    : await adoptOnServer(await openApi(API_FLAGS, given, terminal), given.all("--only"), options);
  if (out !== undefined) await writeFiles(adoption.files, out, { overwrites: given.isOn("--force") });
  show(adoption, { terminal, out, asJson: given.isOn("--json") });
  return EXITS.ok.code;
}

function show(
  adoption: Adoption,
  { terminal, out, asJson }: { terminal: Terminal; out: string | undefined; asJson: boolean },
): void {
  const { files, resources, counts } = adoption;
  if (asJson) terminal.print(`${JSON.stringify(adoption, null, 2)}\n`);
  else if (out === undefined) terminal.print(files.map(({ content }) => content).join("\n"));
  else for (const { path } of files) terminal.print(`${out}/${path}\n`);
  for (const one of resources) if (!asJson && one.status !== "complete") terminal.log(lineFor(one));
  terminal.log(`${counts.complete} complete, ${counts.partial} partial, ${counts.refused} refused`);
}

function lineFor({ status, address, resource_id: id, reason = "" }: AdoptedResource): string {
  return `${status}: ${address ?? id}: ${reason}`;
}
