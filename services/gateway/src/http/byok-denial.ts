import type { ByokDenial } from "@leeway/shared/contracts/quota/completions";

import { json, type Answer } from "./answer.ts";

/** What a client is told while the breaker of its organization's own model key is open. */
export function byokDenialAnswer(orgId: string, denial: ByokDenial): Answer {
  const { reason: code, provider, retry_at, retry_after_seconds, consecutive_failures } = denial;
  const message = `${provider} has failed ${consecutive_failures} times in a row: no call is made with the organization's own key until ${retry_at}`;
  const byok_config_url = `/api/v2/orgs/${orgId}/llm-config`;
  const body = { code, error: code, message, provider, retry_at, consecutive_failures, byok_config_url };
  return json(body, 429, { "retry-after": String(retry_after_seconds) });
}
