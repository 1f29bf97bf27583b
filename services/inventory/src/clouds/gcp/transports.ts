import { member, text } from "@leeway/shared/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { lastSegment, locationOf, parseName, projectOf } from "./resource-name.ts";

const TRIGGER = "eventarc.googleapis.com/Trigger";
const FUNCTION = "cloudfunctions.googleapis.com/Function";
const FIRST_FUNCTION = "cloudfunctions.googleapis.com/CloudFunction";
const PUBSUB = "pubsub.googleapis.com";

/** Who makes what is called so: functions have Eventarc make their triggers, and both make topics and subscriptions. */
const MAKERS: readonly (readonly [type: string, name: RegExp, makers: readonly string[]])[] = [
  [TRIGGER, /./, ["google_cloudfunctions2_function"]],
  ["pubsub.googleapis.com/Topic", /^eventarc-/, ["google_eventarc_trigger"]],
  [
    "pubsub.googleapis.com/Subscription",
    /^(?:eventarc|gcf)-/,
    ["google_eventarc_trigger", "google_cloudfunctions_function"],
  ],
];

/** What names a trigger or a function beside its own name: what it has made to be told of events. Their side is {@link makersOf}. */
export function idsOfTransports({
  provider_type,
  provider_resource_id,
  properties,
}: ListedResource): string[] {
  return madeBy(provider_type, parseName(provider_resource_id)?.path ?? "", properties).flatMap((name) => {
    const made = name === undefined ? undefined : parseName(name, PUBSUB)?.path;
    return made === undefined ? [] : [`made:${made}`];
  });
}

/** Keys of what may have made a resource with this path in order to be told of events. */
export function makersOf({ provider_type, name = "" }: ListedResource, path: string): MatchKey[] {
  const [, , makers = []] =
    MAKERS.find(([type, called]) => type === provider_type && called.test(name)) ?? [];
  return makers.map((maker): MatchKey => `3:${maker}|made:${path}`);
}

function madeBy(
  type: string,
  path: string,
  properties: ListedResource["properties"],
): readonly (string | undefined)[] {
  const trigger = member(properties, "eventTrigger");
  const transport = member(member(properties, "transport"), "pubsub");
  switch (type) {
    case TRIGGER:
      return [text(transport, "topic"), text(transport, "subscription")];
    case FUNCTION:
      return [text(trigger, "trigger")];
    case FIRST_FUNCTION:
      return [subscriptionOf(path, text(trigger, "resource"))];
    default:
      return [];
  }
}

/** The subscription of a function of the first generation has its name, its region's and its topic's in its own. */
function subscriptionOf(path: string, topic: string | undefined): string | undefined {
  return topic?.includes("/topics/")
    ? `projects/${projectOf(path)}/subscriptions/gcf-${lastSegment(path)}-${locationOf(path)}-${lastSegment(topic)}`
    : undefined;
}
