import type { Answer, Row } from "../../api/client.ts";

export type WebhookConfig = Row<"GET /orgs/{id}/webhooks">;
export type NewWebhookConfig = Answer<"POST /orgs/{id}/webhooks">;
export type Delivery = Row<"GET /orgs/{id}/webhooks/{config_id}/deliveries">;
export type Source = WebhookConfig["source"];

/** How each source is called. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = { vcs: "GitLab", planner: "Planner" };

/** What to call a webhook. */
export function nameOf({
  name,
  repo_path: repository,
  source,
  secret_prefix: prefix,
}: WebhookConfig): string {
  return name ?? repository ?? `${SOURCE_NAMES[source]} ${prefix}`;
}
