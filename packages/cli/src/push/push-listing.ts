import { text as required } from "@leeway/shared/platform/config";
import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { findAccount, parseWanted, type WantedAccount } from "../api/accounts.ts";
import { path, type Answer } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import {
  flag,
  HELP,
  loadFlags,
  quoted,
  readArguments,
  usage,
  type Given,
  type Syntax,
} from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { counted, grouped } from "@leeway/shared/values/counted";
import { upload } from "./upload.ts";

const API_FLAGS = apiFlags(900);
const FLAGS = {
  "--account": flag("PROVIDER:EXTERNAL_ID|ID", required("account of the listing, such as aws:123456789012")),
};

export const PUSH_LISTING: Syntax = {
  command: "listing push",
  operands: ["FILE"],
  about: [
    "Pushes the list of an account's resources, from AWS, Google Cloud or Azure, or in Leeway's own format. Resources",
    "that aren't in it are removed from the account's inventory. - is standard input.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: {
    "--allow-empty": "allow an empty listing for an account that had resources",
    "--allow-foreign": "accept a listing that names other accounts, and use only this account's rows",
    ...API_SWITCHES,
  },
  exits: Object.values(EXITS),
};

/**
 * Runs `leeway listing push`.
 * @throws {Failure} also when Leeway accepted the listing and left the account unchanged
 */
export async function pushListing(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(PUSH_LISTING, args);
  if (given.isOn(HELP)) return terminal.print(help(PUSH_LISTING));
  const wanted = wantedAccount(given, terminal);
  const [file = ""] = given.operands;
  const api = await openApi(API_FLAGS, given, terminal);
  // Before the upload, because an error answer in the middle of one is easily lost.
  const { id, name } = await findAccount(api, wanted);
  const place = path`orgs/${api.orgId}/cloud-accounts/${id}/listing` + allowances(given);
  const { body: scan } = expectTaken(await upload(api, place, file, terminal), name);
  for (const error of members(scan, "errors")) terminal.log(plain(text(error, "message") ?? "unknown error"));
  terminal.print(`${summary(name, scan)}; ${api.page(path`scans/${text(scan, "id") ?? ""}`)}\n`);
  if (members(scan, "errors").some((error) => text(error, "code") === "empty_listing")) {
    throw new Failure("refused", `${name} is unchanged; --allow-empty removes all its resources`);
  }
}

function allowances(given: Given): string {
  const allowed = ["allow_empty", "allow_foreign"].filter((name) =>
    given.isOn(`--${name.replace("_", "-")}`),
  );
  return allowed.length === 0 ? "" : `?${allowed.map((name) => `${name}=true`).join("&")}`;
}

const MAX_NAMED = 5;

/**
 * Returns the answer if the listing was accepted.
 * @throws {Failure} that names the accounts in a listing of another account
 */
function expectTaken(answer: Answer, name: string): Answer {
  const { body } = answer;
  if (answer.status !== 400 || text(body, "code") !== "account_mismatch")
    return expectOk(answer, "the listing");
  const found = members(body, "accounts").map((account) => {
    const { resources: count } = account;
    const size = typeof count === "number" ? ` (${counted(count, "resource")})` : "";
    return `${plain(text(account, "external_id") ?? "")}${size}`;
  });
  const others = found.length === 0 ? "" : `, but to ${found.slice(0, MAX_NAMED).join(", ")}`;
  const own = Number(body["own_resources"]) > 0 ? ", or push only its own rows with --allow-foreign" : "";
  throw new Failure(
    "refused",
    `nothing was pushed: the listing doesn't belong to ${name}${others}. Check --account${own}`,
  );
}

function wantedAccount(given: Given, { env }: Terminal): WantedAccount {
  const { "--account": raw } = loadFlags(FLAGS, given, env);
  const wanted = parseWanted(raw);
  if (wanted !== undefined) return wanted;
  throw usage(
    given.command,
    `--account must be PROVIDER:EXTERNAL_ID, such as aws:123456789012, or an account's id, not ${quoted(raw)}`,
  );
}

function summary(name: string, scan: JsonObject): string {
  const stats = member(scan, "stats") ?? {};
  const count = (kind: string): number => {
    const value = stats[kind];
    return typeof value === "number" ? value : 0;
  };
  const changes = [
    ...(count("created") > 0 ? [`${grouped(count("created"))} new`] : []),
    ...(count("gone") > 0 ? [`${grouped(count("gone"))} gone`] : []),
  ].join(", ");
  return [
    `${name}: ${counted(count("seen"), "resource")}${changes === "" ? "" : ` (${changes})`}`,
    `${grouped(count("matched"))} declared`,
    `${grouped(count("undeclared"))} undeclared`,
    ...(count("excluded") > 0 ? [`${grouped(count("excluded"))} excluded`] : []),
    ...(count("foreign") > 0 ? [`${grouped(count("foreign"))} of other accounts ignored`] : []),
  ].join(", ");
}
