import { Settlement, type SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";

import { answerAs } from "../api/answer-as.ts";
import { path, type Api } from "../api/client.ts";
import { jsonBody } from "../api/json-body.ts";
import { expectOk } from "../api/refusal.ts";
import { findSource } from "../api/sources.ts";
import type { SettleResult } from "./result.ts";

/** A server may have to read the code host's repository first. */
const LONGEST_MS = 180_000;

/** Lets the server settle a change in the code of its source. @throws {Failure} */
export async function settleRemotely(
  api: Api,
  {
    fingerprint,
    how,
    opens,
    into,
  }: { fingerprint: string; how: SettlementWay; opens: boolean; into: string | undefined },
): Promise<SettleResult> {
  const source = into === undefined ? {} : { source_id: (await findSource(api, into)).id };
  const answer = await api.ask({
    method: "POST",
    path: path`orgs/${api.orgId}/drift-changes/${fingerprint}/settlement`,
    longestTryMs: LONGEST_MS,
    ...jsonBody({ how, ...(opens && { open_change_request: true }), ...source }),
  });
  const { body } = expectOk(answer, `the settlement of ${fingerprint}`);
  const { patch, files, ...change } = answerAs(Settlement, body);
  return { patch, files, changes: [{ fingerprint, name: fingerprint, ...change }] };
}
