import { join } from "node:path";

import { exceptionsOf } from "./exceptions.ts";
import type { Known } from "./gap-lines.ts";
import { resourcesOf } from "./resources.ts";
import type { Member } from "./schema.ts";
import { secretAttributes } from "./secrets.ts";
import type { Cloud, Sources } from "./tables.ts";

/** Returns a function that finds what is known about a cloud's Terraform types besides their arguments. */
export function knownOf(
  cloud: Cloud,
  sources: Sources,
): (type: string) => Omit<Known, "mirrored"> & { resources: readonly Member[] } {
  const secrets = secretAttributes(join(sources.packages, `@pulumi/${cloud}`));
  const [exceptions, find] = [exceptionsOf(cloud), resourcesOf(cloud, sources)];
  return (type) => {
    const resources = find(type);
    const secret = secrets.get(type) ?? new Set();
    return { resources, secret, exceptions: exceptions.get(type) ?? [], hasSchema: resources.length > 0 };
  };
}
