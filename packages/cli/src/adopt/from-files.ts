import type { Adoption, AdoptionTool } from "@leeway/shared/contracts/inventory/adoptions";

import type { NamedAccount } from "../account.ts";
import { usage, type Given } from "../arguments.ts";
import { filesIn, readAccounts, readStates, requireOneInput } from "../drift/inputs.ts";
import type { Terminal } from "../terminal.ts";
import { adoptEstate } from "./adopt-estate.ts";
import { besideIn } from "./beside.ts";

/** Account to adopt, and the code that it joins. */
export interface AdoptOptions {
  account: NamedAccount | undefined;
  /** State in files, or source of the server. */
  into: string | undefined;
  tool: AdoptionTool;
}

/** Turns what listings show and states don't declare into code. @throws {Failure} */
export async function adoptFiles(
  given: Given,
  { account, into, tool }: AdoptOptions,
  terminal: Terminal,
): Promise<Adoption> {
  const { command } = given;
  const listings = await filesIn(command, given, "--listing");
  const states = await filesIn(command, given, "--state");
  requireOneInput(command, [...listings, ...states]);
  if (into !== undefined && !states.includes(into))
    throw usage(command, `--into ${into} isn't one of the states`);
  const accounts = await readAccounts(listings, { command, account }, terminal);
  const declared = await readStates(states, terminal);
  const beside = besideIn(declared, states, into);
  return terminal.during("writing code", async () =>
    adoptEstate(accounts, { declared, beside, only: given.all("--only"), tool }),
  );
}
