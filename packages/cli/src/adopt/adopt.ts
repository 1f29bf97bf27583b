import type { DeclaredRow } from "@leeway/drift/estate/declared";
import type { AdoptedResource, Adoption } from "@leeway/shared/contracts/inventory/adoptions";

import { flag, HELP, loadFlags, maybe, readArguments, usage, type Syntax } from "../arguments.ts";
import { accountNamed, filesIn, readAccounts, readStates, requireOneInput } from "../drift/inputs.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { adoptEstate } from "./adopt-estate.ts";
import { writeFiles } from "./write-files.ts";

const FLAGS = {
  "--state": flag(
    "FILE",
    maybe("state of Terraform, OpenTofu, Pulumi or CloudFormation; repeatable, also a pattern", String),
  ),
  "--listing": flag("FILE", maybe("list of an account's live resources; repeatable, also a pattern", String)),
  "--account": flag(
    "PROVIDER:EXTERNAL_ID",
    maybe("account of the listings, if they name none", accountNamed),
  ),
  "--only": flag("TEXT", maybe("only resources with this id, name or type; repeatable", String)),
  "--into": flag("FILE", maybe("state of the code that the new code joins; default: the only state", String)),
  "--out": flag("DIR", maybe("write the files below this folder", String)),
};

export const ADOPT: Syntax = {
  command: "adopt",
  about: [
    "Turns undeclared resources into Terraform code with import blocks, without a server and without a network.",
    "Without --out the code goes to standard output. Files may be gzipped; - is standard input.",
  ].join("\n"),
  flags: FLAGS,
  switches: {
    "--json": "print the result with each resource's status as JSON",
    "--force": "overwrite files in --out",
  },
  exits: Object.values(EXITS),
};

/**
 * Runs `leeway adopt`.
 * @returns the exit code
 * @throws {Failure} that names the file that can't be read or written
 */
export async function adopt(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(ADOPT, args);
  if (given.isOn(HELP)) {
    terminal.print(help(ADOPT));
    return EXITS.ok.code;
  }
  const values = loadFlags(FLAGS, given, terminal.env);
  const { "--into": into, "--out": out } = values;
  const listings = await filesIn(ADOPT.command, given, "--listing");
  const states = await filesIn(ADOPT.command, given, "--state");
  requireOneInput(ADOPT.command, [...listings, ...states]);
  const named = { command: ADOPT.command, account: values["--account"] };
  const accounts = await readAccounts(listings, named, terminal);
  const declared = await readStates(states, terminal);
  const beside = joined(declared, states, into);
  const adoption = await terminal.during("writing code", async () =>
    adoptEstate(accounts, { declared, beside, only: given.all("--only") }),
  );
  if (out !== undefined) await writeFiles(adoption.files, out, { overwrites: given.isOn("--force") });
  show(adoption, { terminal, out, asJson: given.isOn("--json") });
  return EXITS.ok.code;
}

/** Returns the declarations outside modules of the state whose code the new code joins. */
function joined(
  declared: readonly DeclaredRow[],
  states: readonly string[],
  into: string | undefined,
): DeclaredRow[] {
  const state = into ?? (states.length === 1 ? states[0] : undefined);
  if (into !== undefined && !states.includes(into))
    throw usage(ADOPT.command, `--into ${into} isn't one of the states`);
  return declared.filter(
    ({ sourceId, moduleAddress, isInline }) => sourceId === state && moduleAddress === undefined && !isInline,
  );
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
