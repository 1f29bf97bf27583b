import { isUuid } from "@leeway/shared/contract";
import { text as required } from "@leeway/shared/config";
import { member, members, text, type JsonObject } from "@leeway/shared/json";

import { path, type Api } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { listAll } from "../api/list.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { flag, HELP, loadFlags, readArguments, usage, type Given, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { upload } from "./upload.ts";

const CLOUDS: ReadonlySet<string> = new Set(["aws", "azure", "gcp"]);
const API_FLAGS = apiFlags(900);
const FLAGS = {
  "--account": flag(
    "PROVIDER:EXTERNAL_ID|ID",
    required("the account that is listed, such as aws:123456789012"),
  ),
};

export const PUSH_LISTING: Syntax = {
  command: "listing push",
  operands: ["FILE"],
  about: [
    "Pushes what runs in an account, as AWS, Google Cloud or Azure list it, or as lines of Leeway's own. It takes the",
    "place of the listing before: what it doesn't name is gone. - reads the standard input.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: { "--allow-empty": "lets a listing empty an account that had resources", ...API_SWITCHES },
  exits: Object.values(EXITS),
};

/**
 * `leeway listing push`
 * @throws {Failure} also when Leeway took the listing and left the account as it was
 */
export async function pushListing(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(PUSH_LISTING, args);
  if (given.isOn(HELP)) return terminal.print(help(PUSH_LISTING));
  const wanted = wantedAccount(given, terminal);
  const [file = ""] = given.operands;
  const api = await openApi(API_FLAGS, given, terminal);
  const id = await findAccount(api, wanted);
  const query = given.isOn("--allow-empty") ? "?allow_empty=true" : "";
  const place = path`orgs/${api.orgId}/cloud-accounts/${id}/listing` + query;
  const { body: scan } = expectOk(await upload(api, place, file, terminal), "the listing");
  for (const error of members(scan, "errors")) terminal.tell(plain(text(error, "message") ?? "an error"));
  terminal.print(`${summary(scan)}\n`);
  if (members(scan, "errors").some((error) => text(error, "code") === "empty_listing")) {
    throw new Failure("refused", "the account stays as it was: --allow-empty empties it");
  }
}

interface Account {
  provider: string;
  externalId: string;
}

function wantedAccount(given: Given, { env }: Terminal): string | Account {
  const { "--account": raw } = loadFlags(FLAGS, given, env);
  if (isUuid(raw)) return raw;
  const [, provider, externalId] = /^([a-z][a-z0-9_-]*):(\S+)$/.exec(raw) ?? [];
  if (provider && externalId) return { provider, externalId };
  throw usage(given.command, "--account must be PROVIDER:EXTERNAL_ID, such as aws:123456789012, or an id");
}

/** Found before anything is sent: a refusal in the middle of an upload is easily lost. */
async function findAccount(api: Api, wanted: string | Account): Promise<string> {
  const accounts = path`orgs/${api.orgId}/cloud-accounts`;
  if (typeof wanted === "string") {
    expectOk(await api.ask({ method: "GET", path: `${accounts}/${wanted}` }), "the account");
    return wanted;
  }
  for await (const row of listAll(api, accounts, "the accounts", { provider: wanted.provider })) {
    const id = text(row, "id");
    const account = { provider: text(row, "provider") ?? "", externalId: text(row, "external_id") ?? "" };
    if (nameOf(account) === nameOf(wanted) && id !== undefined) return id;
  }
  const advice = `add it by POST /api/v2/orgs/${api.orgId}/cloud-accounts with {"provider": …, "external_id": …}`;
  throw new Failure("not_found", `there is no account that --account names: ${advice}`);
}

/** What Leeway tells accounts apart by: clouds take theirs for the same in whatever case. */
function nameOf({ provider, externalId }: Account): string {
  return `${provider}:${CLOUDS.has(provider) ? externalId.toLowerCase() : externalId}`;
}

function summary(scan: JsonObject): string {
  const counts = Object.entries(member(scan, "stats") ?? {}).flatMap(([kind, count]) =>
    typeof count === "number" ? [`${plain(kind)} ${count}`] : [],
  );
  return [`scan ${plain(text(scan, "id") ?? "unknown")}`, ...counts].join(", ");
}
