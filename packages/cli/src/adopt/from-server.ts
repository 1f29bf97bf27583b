import { isUuid } from "@leeway/shared/contracts/contract";
import { Adoption, MAX_ADOPTED } from "@leeway/shared/contracts/inventory/adoptions";
import { grouped } from "@leeway/shared/values/counted";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { findAccount } from "../api/accounts.ts";
import { answerAs } from "../api/answer-as.ts";
import { path, type Api } from "../api/client.ts";
import { jsonBody } from "../api/json-body.ts";
import { listAll } from "../api/list.ts";
import { expectOk } from "../api/refusal.ts";
import { findSource } from "../api/sources.ts";
import { quoted } from "../arguments.ts";
import { Failure } from "../failure.ts";
import type { AdoptOptions } from "./from-files.ts";

/** Turns undeclared resources of an organization into code. @throws {Failure} */
export async function adoptOnServer(
  api: Api,
  only: readonly string[],
  { account, into, tool }: AdoptOptions,
): Promise<Adoption> {
  const accountId = account && (await findAccount(api, account)).id;
  const sourceId = into === undefined ? undefined : (await findSource(api, into)).id;
  const chosen =
    only.length === 0
      ? { filter: { ...(accountId !== undefined && { account_id: accountId }) } }
      : { resource_ids: await idsOf(api, only, accountId) };
  const answer = await api.ask({
    method: "POST",
    path: path`orgs/${api.orgId}/adoptions`,
    ...jsonBody({ ...chosen, tool, ...(sourceId !== undefined && { source_id: sourceId }) }),
  });
  return answerAs(Adoption, expectOk(answer, "the adoption").body);
}

/** Returns the ids of the resources that have one of the ids, names or types. */
async function idsOf(api: Api, only: readonly string[], accountId: string | undefined): Promise<string[]> {
  const ids = new Set<string>();
  for (const one of only) {
    const count = ids.size;
    if (isUuid(one)) ids.add(one.toLowerCase());
    else for (const id of await idsNamed(api, one, accountId)) ids.add(id);
    if (ids.size === count && !isUuid(one))
      throw new Failure("not_found", `no resource has the id, name or type ${quoted(one)}`);
  }
  if (ids.size <= MAX_ADOPTED) return [...ids];
  throw new Failure(
    "refused",
    `--only selects ${grouped(ids.size)} resources; the server adopts at most ${MAX_ADOPTED} at once`,
  );
}

async function idsNamed(api: Api, name: string, account_id: string | undefined): Promise<string[]> {
  const place = path`orgs/${api.orgId}/resources`;
  const isNamed = (row: JsonObject): boolean =>
    [text(row, "provider_resource_id"), text(row, "name"), text(row, "provider_type")].includes(name);
  const ids: string[] = [];
  for (const filter of [{ provider_type: name, match: "undeclared" }, { q: name }]) {
    for await (const row of listAll(api, place, "resources", { ...filter, account_id })) {
      const id = text(row, "id");
      if (id !== undefined && isNamed(row)) ids.push(id);
      if (ids.length > MAX_ADOPTED) return ids;
    }
  }
  return ids;
}
