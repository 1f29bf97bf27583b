import { aws } from "@leeway/clouds/aws/aws";
import type { JsonObject } from "@leeway/shared/values/json";

import type { LiveAccount } from "../estate/live-account.ts";
import type { LiveToAdopt } from "./live.ts";

export const ACCOUNT = "123456789012";

/** Builds a live resource of AWS. @param path service and resource of its ARN: `sqs:orders` */
export function live(
  providerType: string,
  path: string,
  properties: JsonObject | undefined,
  more: Partial<LiveToAdopt> = {},
): LiveToAdopt {
  const [service = "", ...resource] = path.split(":");
  const region = more.region ?? "eu-west-1";
  const providerResourceId = `arn:aws:${service}:${region}:${ACCOUNT}:${resource.join(":")}`;
  return {
    id: path,
    cloud: aws,
    providerType,
    providerResourceId,
    region,
    name: undefined,
    account: ACCOUNT,
    tags: undefined,
    properties,
    taken: undefined,
    ...more,
  };
}

/** Returns the resources of a listing as resources to adopt, whatever owns them. */
export function allOf({ cloud, namedAs, resources }: LiveAccount): LiveToAdopt[] {
  return resources.map(({ tags, properties, ...one }) => ({
    id: one.providerResourceId,
    cloud,
    providerType: one.providerType,
    providerResourceId: one.providerResourceId,
    region: one.region,
    name: one.name,
    account: namedAs,
    tags: tags === undefined ? undefined : JSON.parse(tags),
    properties: properties === undefined ? undefined : JSON.parse(properties),
    taken: undefined,
  }));
}
