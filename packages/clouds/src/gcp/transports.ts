import { member, text } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { lastSegment, locationOf, parseName, projectOf } from "./resource-name.ts";

const TRIGGER = "eventarc.googleapis.com/Trigger";
const FUNCTION = "cloudfunctions.googleapis.com/Function";
const FIRST_FUNCTION = "cloudfunctions.googleapis.com/CloudFunction";
const PUBSUB = "pubsub.googleapis.com";

/**
 * Creators of resources with a certain name. Functions create triggers
 * through Eventarc. Both create topics and subscriptions.
 */
const MAKERS: readonly (readonly [type: string, name: RegExp, makers: readonly string[]])[] = [
  [TRIGGER, /./, ["google_cloudfunctions2_function"]],
  ["pubsub.googleapis.com/Topic", /^eventarc-/, ["google_eventarc_trigger"]],
  [
    "pubsub.googleapis.com/Subscription",
    /^(?:eventarc|gcf)-/,
    ["google_eventarc_trigger", "google_cloudfunctions_function"],
  ],
];

/**
 * Returns ids of a trigger or function besides its name: the transports that it created to receive events. {@link
 * makersOf} returns their side of the key.
 */
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

/** Returns keys of resources that may have created the resource with this path to receive events. */
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

/**
 * Returns the subscription of a first-generation function, which is named after the function, its region and its topic.
 */
function subscriptionOf(path: string, topic: string | undefined): string | undefined {
  return topic?.includes("/topics/")
    ? `projects/${projectOf(path)}/subscriptions/gcf-${lastSegment(path)}-${locationOf(path)}-${lastSegment(topic)}`
    : undefined;
}
