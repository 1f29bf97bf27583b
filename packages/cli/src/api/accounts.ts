import { isUuid } from "@leeway/shared/contracts/contract";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { parseAccount, type NamedAccount } from "../account.ts";
import { quoted } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { path, type Api } from "./client.ts";
import { listAll } from "./list.ts";
import { expectOk, plain } from "./refusal.ts";

const CLOUDS: ReadonlySet<string> = new Set(["aws", "azure", "gcp"]);

/** An account's id, or its cloud and id there. */
export type WantedAccount = string | NamedAccount;

/** Parses `PROVIDER:EXTERNAL_ID` or an account's id; undefined for another form. */
export function parseWanted(raw: string): WantedAccount | undefined {
  return isUuid(raw) ? raw : parseAccount(raw);
}

/** Finds an account. @throws {Failure} that says how to connect it, if there is none */
export async function findAccount(api: Api, wanted: WantedAccount): Promise<{ id: string; name: string }> {
  const accounts = path`orgs/${api.orgId}/cloud-accounts`;
  if (typeof wanted === "string") {
    const answer = await api.ask({ method: "GET", path: `${accounts}/${wanted}` });
    return { id: wanted, name: nameOf(expectOk(answer, "the account").body) };
  }
  for await (const row of listAll(api, accounts, "accounts", { provider: wanted.provider })) {
    const id = text(row, "id");
    if (id !== undefined && keyOf(accountIn(row)) === keyOf(wanted)) return { id, name: nameOf(row) };
  }
  const advice = `connect it at ${api.page("accounts/new")}, or with POST /api/v2/${accounts}`;
  throw new Failure(
    "not_found",
    `no account ${quoted(`${wanted.provider}:${wanted.externalId}`)}; ${advice}`,
  );
}

function accountIn(row: JsonObject): NamedAccount {
  return { provider: text(row, "provider") ?? "", externalId: text(row, "external_id") ?? "" };
}

function nameOf(row: JsonObject): string {
  const { provider, externalId } = accountIn(row);
  return plain(`${provider}:${externalId}`);
}

/** Returns a key that identifies an account: clouds ignore the case of their ids. */
function keyOf({ provider, externalId }: NamedAccount): string {
  return `${provider}:${CLOUDS.has(provider) ? externalId.toLowerCase() : externalId}`;
}
