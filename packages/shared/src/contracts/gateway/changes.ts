import { defineBroadcast } from "../contract.ts";

/** Kinds of data of an organization that change at a time. */
export const CHANGE_TOPICS = ["scans", "drift", "plans", "settings"] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** Announces that data of an organization has changed, to the gateways that stream to its members. The text is `changeText`. */
export const OrganizationChanged = defineBroadcast("gateway.organization.changed");

export interface OrganizationChange {
  orgId: string;
  topic: ChangeTopic;
  /** Number of drift changes that are new or have new values, with `drift`. */
  newChanges?: number;
}

/** Returns the text of a broadcast. */
export function changeText({ orgId, topic, newChanges = 0 }: OrganizationChange): string {
  return `${orgId} ${topic} ${newChanges}`;
}

/** Returns the change in the text of a broadcast; undefined for one of a newer version. */
export function changeIn(text: string): OrganizationChange | undefined {
  const [orgId = "", named, count] = text.split(" ");
  const topic = CHANGE_TOPICS.find((one) => one === named);
  return topic && { orgId, topic, newChanges: Number(count) || 0 };
}
