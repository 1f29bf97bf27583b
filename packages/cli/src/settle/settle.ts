import { SETTLEMENT_WAYS } from "@leeway/shared/contracts/analyzer/settlements";
import { DriftFingerprint } from "@leeway/shared/contracts/drift-fingerprint";

import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import {
  flag,
  HELP,
  loadFlags,
  maybe,
  oneOf,
  quoted,
  readArguments,
  usage,
  type Given,
  type Syntax,
} from "../arguments.ts";
import { accountNamed } from "../drift/inputs.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { readCode } from "./code.ts";
import { readChanges } from "./changes.ts";
import { chosen, settleLocally, type Wanted } from "./local.ts";
import { settleRemotely } from "./remote.ts";
import type { SettleResult } from "./result.ts";
import { show } from "./show.ts";
import { writeResult } from "./write-result.ts";

const API_FLAGS = apiFlags(300);
const FLAGS = {
  "--state": flag("FILE", maybe("state of the code; repeatable, also a pattern", String)),
  "--listing": flag("FILE", maybe("list of an account's live resources; repeatable, also a pattern", String)),
  "--account": flag(
    "PROVIDER:EXTERNAL_ID",
    maybe("account of the listings, if they name none", accountNamed),
  ),
  "--plan": flag(
    "FILE",
    maybe("plan as JSON whose refresh found drift, instead of states and listings", String),
  ),
  "--dir": flag("DIR", maybe("folder of the root module; default: the working directory", String)),
  "--root": flag("DIR", maybe("folder with all code that may be edited; default: --dir", String)),
  "--out": flag("DIR", maybe("write the changed files below this folder", String)),
  "--into": flag(
    "SOURCE",
    maybe(
      "source of the server whose code an adopted resource joins; default: the only one with a repository",
      String,
    ),
  ),
};
const LOCAL = ["--state", "--listing", "--plan"];

export const SETTLE: Syntax = {
  command: "settle",
  operands: ["[CHANGE]", "[HOW]"],
  about: [
    "Ends drift in code: prints the patch that makes the code say what is live, or the commands that revert a change.",
    `HOW is ${SETTLEMENT_WAYS.join(", ")}; default: accept. CHANGE is a fingerprint.`,
    "With --state and --listing, or with --plan, it needs no server and no network: CHANGE may then be an address.",
    "Without CHANGE it settles all changes that HOW fits, in one patch. Without files it asks the server.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: {
    "--write": "change the files below --root, unless one has changed since it was read",
    "--force": "overwrite files in --out, and existing files with new ones",
    "--open-change-request": "also put the patch on the source's merge or pull request; only with a server",
    "--json": "print patch, files and the outcome of each change as JSON",
    ...API_SWITCHES,
  },
  exits: Object.values(EXITS),
};

/**
 * Runs `leeway settle`.
 * @returns the exit code, which shows a failure if nothing could be settled
 * @throws {Failure}
 */
export async function settle(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(SETTLE, args);
  if (given.isOn(HELP)) {
    terminal.print(help(SETTLE));
    return EXITS.ok.code;
  }
  const wanted = wantedIn(given);
  const values = loadFlags(FLAGS, given, terminal.env);
  const { "--out": out, "--dir": dir = ".", "--root": root = dir } = values;
  if (given.isOn("--write") && out !== undefined)
    throw usage(given.command, "--write and --out exclude each other");
  const isLocal = LOCAL.some((name) => given.all(name).length > 0);
  if (isLocal && values["--into"] !== undefined) throw usage(given.command, "--into needs a server");
  const result = isLocal
    ? await locally(given, wanted, { ...values, "--root": root }, terminal)
    : await remotely(given, wanted, values["--into"], terminal);
  const written = await writeResult(result, {
    how: wanted.how,
    root,
    out,
    writes: given.isOn("--write"),
    overwrites: given.isOn("--force"),
  });
  show(result, { terminal, written, asJson: given.isOn("--json") });
  return result.changes.every(({ refused }) => refused !== undefined) ? EXITS.failure.code : EXITS.ok.code;
}

/** A single operand may be HOW. */
function wantedIn({ command, operands: [first, second] }: Given): Wanted {
  const ways: readonly string[] = SETTLEMENT_WAYS;
  const isWay = first !== undefined && second === undefined && ways.includes(first);
  const [change, how = "accept"] = isWay ? [undefined, first] : [first, second];
  try {
    return { change, how: oneOf(SETTLEMENT_WAYS, how) };
  } catch (cause) {
    throw usage(command, `HOW ${cause instanceof Error ? cause.message : ""}`);
  }
}

async function locally(
  given: Given,
  wanted: Wanted,
  values: { "--account": ReturnType<typeof accountNamed> | undefined; "--plan": string | undefined } & {
    "--dir": string | undefined;
    "--root": string;
  },
  terminal: Terminal,
): Promise<SettleResult> {
  if (given.isOn("--open-change-request"))
    throw usage(
      given.command,
      "--open-change-request needs a server, so leave out --state, --listing and --plan",
    );
  const { changes, adopt } = await readChanges(given, values, terminal);
  const { "--root": root, "--dir": dir = root } = values;
  return terminal.during("settling", () =>
    settleLocally(chosen(changes, wanted), wanted.how, {
      code: () => readCode(given.command, root, dir),
      adopt,
    }),
  );
}

async function remotely(
  given: Given,
  { change: fingerprint, how }: Wanted,
  into: string | undefined,
  terminal: Terminal,
): Promise<SettleResult> {
  const { command } = given;
  if (into !== undefined && how !== "adopt")
    throw usage(command, "--into is only for adopt: other changes belong to a source already");
  if (fingerprint === undefined)
    throw usage(command, "name the fingerprint of a change, or settle files with --state and --listing");
  if (!FINGERPRINT.test(fingerprint))
    throw usage(command, `CHANGE must be a drift change's fingerprint (dc1_…), not ${quoted(fingerprint)}`);
  const api = await openApi(API_FLAGS, given, terminal);
  return terminal.during("waiting for the server", () =>
    settleRemotely(api, { fingerprint, how, into, opens: given.isOn("--open-change-request") }),
  );
}
const FINGERPRINT = new RegExp(DriftFingerprint.pattern ?? "");
