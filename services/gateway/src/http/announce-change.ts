import { broadcast } from "@leeway/shared/bus/broadcast";
import { changeText, OrganizationChanged, type ChangeTopic } from "@leeway/shared/contracts/gateway/changes";

import type { Gateway } from "../gateway.ts";
import type { Endpoint } from "./endpoint.ts";

/** Topics of the documentation's tags. All others are settings. */
const TOPICS: Readonly<Record<string, ChangeTopic>> = {
  "Cloud accounts": "scans",
  "IaC sources": "scans",
  Scans: "scans",
  "Scan schedules": "scans",
  Resources: "scans",
  "Exclusion rules": "drift",
  Drift: "drift",
  Rules: "drift",
  "Plan analysis": "plans",
  "Plan noise": "plans",
};

/** Announces that a request has changed something of an organization. */
export function announceChange(
  { method, tag }: Endpoint,
  { orgId, status }: { orgId: string; status: number },
  { bus }: Gateway,
): void {
  if (method === "GET" || orgId === "" || status >= 300) return;
  broadcast(bus, OrganizationChanged, changeText({ orgId, topic: TOPICS[tag] ?? "settings" }));
}
