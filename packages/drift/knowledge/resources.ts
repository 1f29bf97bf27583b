import { join } from "node:path";

import { configType } from "./aws-config.ts";
import { azureTypes } from "./azure.ts";
import { cloudFormationTypes } from "./cloudformation.ts";
import { googleTypes } from "./google.ts";
import type { Member } from "./schema.ts";
import { partOf, type Cloud, type Sources } from "./tables.ts";

/** Returns the schemas of a cloud's own type. */
export type FindResources = (cloudType: string) => readonly Member[];

/** Schemas of resources, by cloud. */
export const RESOURCES: Readonly<Record<Cloud, (sources: Sources) => FindResources>> = {
  aws: ({ packages, config }) => {
    const types = cloudFormationTypes(join(packages, ".."));
    return (type) => {
      const [own = "", property] = type.split(".");
      const resource = types.get(own);
      const recorded = config === undefined ? undefined : configType(config, own);
      return [resource && partOf(resource, property), recorded].filter((one) => one !== undefined);
    };
  },
  azure: ({ packages }) => {
    const find = azureTypes(join(packages, "@pulumi/azure-native"));
    return (type) => {
      const [own = "", property] = type.split("#");
      const resource = find(own);
      return resource ? [partOf(resource, property)] : [];
    };
  },
  gcp: ({ packages }) => googleTypes(join(packages, "googleapis")),
};
