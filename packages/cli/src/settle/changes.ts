import { driftOfEstate } from "@leeway/drift/estate/estate-drift";
import type { Adoption } from "@leeway/shared/contracts/inventory/adoptions";

import type { NamedAccount } from "../account.ts";
import { adoptEstate } from "../adopt/adopt-estate.ts";
import { besideIn } from "../adopt/beside.ts";
import { analyzeLocally } from "../analyze/local.ts";
import { usage, type Given } from "../arguments.ts";
import { filesIn, readAccounts, readStates, requireOneInput } from "../drift/inputs.ts";
import { readPlan } from "../plan/read-plan.ts";
import type { Terminal } from "../terminal.ts";
import type { LocalChange } from "./local.ts";

/** Changes that files show, and how their undeclared resources become code. */
interface LocalChanges {
  changes: LocalChange[];
  adopt: (ids: readonly string[]) => Adoption;
}

/** Compares states with listings, or reads the drift in a plan. @throws {Failure} */
export async function readChanges(
  given: Given,
  {
    "--account": account,
    "--plan": plan,
  }: { "--account": NamedAccount | undefined; "--plan": string | undefined },
  terminal: Terminal,
): Promise<LocalChanges> {
  const { command } = given;
  if (plan !== undefined) {
    if (given.all("--state").length + given.all("--listing").length > 0)
      throw usage(command, "--plan already contains a comparison, so leave out --state and --listing");
    return fromPlan(plan, terminal);
  }
  const listings = await filesIn(command, given, "--listing");
  const states = await filesIn(command, given, "--state");
  requireOneInput(command, [...listings, ...states]);
  const accounts = await readAccounts(listings, { command, account }, terminal);
  const declared = await readStates(states, terminal);
  const found = await terminal.during("comparing", () => driftOfEstate(accounts, declared, "standard"));
  return {
    changes: [...found.accounts.flatMap(({ changes }) => changes), ...found.unplaced],
    adopt: (only) => adoptEstate(accounts, { declared, beside: besideIn(declared, states, undefined), only }),
  };
}

const ADVICE = "Create it with: terraform show -json plan.bin > plan.json";

async function fromPlan(file: string, terminal: Terminal): Promise<LocalChanges> {
  const plan = await readPlan(file, terminal, ADVICE);
  const { drift } = analyzeLocally(plan, {}, []);
  return {
    changes: drift.map((change) => ({ ...change, is_noise: change.noise !== undefined })),
    adopt: () => ({ files: [], resources: [], counts: { complete: 0, partial: 0, refused: 0 } }),
  };
}
