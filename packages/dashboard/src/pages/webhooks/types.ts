import type { Answer, Row } from "../../api/client.ts";

export type WebhookConfig = Row<"GET /orgs/{id}/webhooks">;
export type NewWebhookConfig = Answer<"POST /orgs/{id}/webhooks">;
export type Delivery = Row<"GET /orgs/{id}/webhooks/{config_id}/deliveries">;
export type Source = WebhookConfig["source"];

/** Display names of the sources. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = { vcs: "GitLab", planner: "Planner" };

/** Returns a webhook's display name. */
export function nameOf({
  name,
  repo_path: repository,
  source,
  secret_prefix: prefix,
}: WebhookConfig): string {
  return name ?? repository ?? `${SOURCE_NAMES[source]} ${prefix}`;
}
