import { setTimeout as sleep } from "node:timers/promises";

import { optional, variable } from "@leeway/shared/platform/config";
import { isObject, members, text, type JsonObject } from "@leeway/shared/values/json";

import { path } from "../api/client.ts";
import { parseAccount } from "../account.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { flag, maybeOneOf, oneOf, usage } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { parseJson } from "../http.ts";
import { accountId, idOf } from "./filters.ts";
import { orgPath } from "./read.ts";
import type { Remote, RemoteCall } from "./remote.ts";
import { createChannel, createSchedule } from "./automating.ts";
import { given, send, shown, textFrom } from "./send.ts";
import { createView, deleteView } from "./views.ts";

const KEY_ROLES = ["admin", "member", "viewer"] as const;
const SCAN_KINDS = ["inventory", "drift", "full"] as const;
const POLL_MS = 1_000;

const createAccount: Remote = {
  command: "accounts create",
  operands: ["PROVIDER:EXTERNAL_ID"],
  about: "Adds a cloud account, such as aws:123456789012. Without credentials its listings are pushed.",
  activity: "adding the account",
  flags: {
    "--name": flag("NAME", optional("name of the account")),
    "--region": flag("REGION", optional("region to scan; repeatable; all without it")),
    "--credentials": flag("FILE", optional("JSON file with the credentials; - is standard input")),
  },
  async run(call) {
    const [named = ""] = call.operands;
    const account = parseAccount(named);
    if (!account) throw usage(call.command, "an account is PROVIDER:EXTERNAL_ID, such as aws:123456789012");
    const credentials = await credentialsOf(call);
    const regions = [...call.all("--region")];
    const made = await send(call, "cloud-accounts", {
      provider: account.provider,
      external_id: account.externalId,
      ...given(call, { name: "--name" }),
      ...(regions.length > 0 && { regions }),
      ...(credentials && { credentials }),
    });
    return shown(call, made, { text: `added ${named}`, page: `accounts/${text(made, "id")}` });
  },
};

const createSource: Remote = {
  command: "sources create",
  operands: ["NAME"],
  about: "Adds a source, to which leeway state push pushes a state.",
  activity: "adding the source",
  flags: {
    "--account": flag("ACCOUNT", optional("account of its resources: PROVIDER:EXTERNAL_ID or its id")),
    "--repository": flag("PATH", optional("path of the code's repository, such as acme/network")),
    "--dir": flag("DIR", optional("folder of the code in the repository")),
    "--ref": flag("REF", optional("branch, tag or commit of the code")),
  },
  async run(call) {
    const [name = ""] = call.operands;
    const { "--account": account, "--repository": repository } = call.values;
    const place = given(call, { dir: "--dir", ref: "--ref" });
    if (repository === undefined && Object.keys(place).length > 0)
      throw usage(call.command, "--dir and --ref need --repository");
    const made = await send(call, "iac-sources", {
      name,
      ...(account !== undefined && { cloud_account_id: await accountId(call, account) }),
      ...(repository !== undefined && { repository: { path: repository, ...place } }),
    });
    return shown(call, made, { text: `added ${name}`, page: `sources/${text(made, "id")}` });
  },
};

const createKey: Remote = {
  command: "keys create",
  operands: ["NAME"],
  about: "Creates an API key, which is printed only once. Only a person can: run leeway login first.",
  activity: "creating the key",
  flags: {
    "--role": flag(
      "ROLE",
      variable("role of the key", (raw) => oneOf(KEY_ROLES, raw)),
    ),
    "--repository": flag("PATTERN", optional("repository the key may speak for; repeatable; all without it")),
    "--expires-at": flag("TIME", optional("expiry, such as 2027-01-31T00:00:00Z")),
  },
  async run(call) {
    const [name = ""] = call.operands;
    const repositories = [...call.all("--repository")];
    const made = await send(call, "api-keys", {
      name,
      ...given(call, { role: "--role", expires_at: "--expires-at" }),
      ...(repositories.length > 0 && { repositories }),
    });
    const key = text(made, "key") ?? "";
    return shown(call, made, { text: key, page: "settings/keys", note: "the key is shown only now" });
  },
};

const revokeKey: Remote = {
  command: "keys revoke",
  operands: ["ID"],
  about: "Deletes an API key, which is refused everywhere within a second.",
  activity: "deleting the key",
  flags: {},
  async run(call) {
    const id = idOf(call.operands[0] ?? "", "key");
    const where = `${orgPath(call.api)}/${path`api-keys/${id}`}`;
    expectOk(await call.api.ask({ method: "DELETE", path: where }), "the key");
    return shown(call, { id, deleted: true }, { text: `deleted ${id}`, page: "settings/keys" });
  },
};

const scan: Remote = {
  command: "scan",
  operands: ["ACCOUNT"],
  about: "Starts a scan of an account, named by PROVIDER:EXTERNAL_ID or its id.",
  activity: "scanning",
  flags: { "--kind": flag("KIND", maybeOneOf("what to do, full by default", SCAN_KINDS)) },
  switches: { "--wait": "wait until the scan has ended; exit with 1 if it failed" },
  maxSeconds: 3_600,
  async run(call) {
    const account_id = await accountId(call, call.operands[0] ?? "");
    const started = await send(call, "scans", { account_id, ...given(call, { kind: "--kind" }) });
    const id = text(started, "id") ?? "";
    const page = `scans/${id}`;
    if (!call.isOn("--wait")) return shown(call, started, { text: `started scan ${id}`, page });
    const ended = await endOf(call, id);
    const status = text(ended, "status") ?? "";
    const errors = members(ended, "errors").map((error) => plain(text(error, "message") ?? ""));
    if (status !== "succeeded" && status !== "partial") {
      const why = errors.length === 0 ? "" : `: ${errors.slice(0, 3).join("; ")}`;
      throw new Failure("refused", `scan ${id} ${status}${why}; ${call.api.page(page)}`);
    }
    for (const error of errors) call.terminal.log(error);
    return shown(call, ended, { text: `scan ${id} ${status}`, page });
  },
};

/** Commands that change data of the server. */
export const CHANGING: readonly Remote[] = [
  createAccount,
  createSource,
  createSchedule,
  createChannel,
  createView,
  deleteView,
  createKey,
  revokeKey,
  scan,
];

/** Waits for the end of a scan. @throws {Failure} if the command's time ends first */
async function endOf({ api }: RemoteCall, id: string): Promise<JsonObject> {
  for (;;) {
    const where = `${orgPath(api)}/${path`scans/${id}`}`;
    const { body } = expectOk(await api.ask({ method: "GET", path: where }), "the scan");
    const status = text(body, "status");
    if (status !== "queued" && status !== "running") return body;
    if (performance.now() + POLL_MS >= api.deadline)
      throw new Failure("unavailable", `scan ${id} is still ${status}; ${api.page(`scans/${id}`)}`);
    await sleep(POLL_MS);
  }
}

async function credentialsOf(call: RemoteCall): Promise<JsonObject | undefined> {
  const { "--credentials": file } = call.values;
  if (file === undefined) return undefined;
  const value = parseJson(await textFrom(call, file));
  if (!isObject(value))
    throw usage(call.command, `${file === "-" ? "standard input" : file} must be a JSON object`);
  return value;
}
