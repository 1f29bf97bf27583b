import { join } from "node:path";

import { configType } from "./aws-config.ts";
import { azureTypes } from "./azure.ts";
import { cloudFormationTypes } from "./cloudformation.ts";
import { googleTypes } from "./google.ts";
import type { Member } from "./schema.ts";
import { cloudTypesOf, partOf, type Cloud, type Sources } from "./tables.ts";

/** Returns the schemas of a cloud's own type that a Terraform type manages. */
type FindResources = (cloudType: string, type: string) => readonly Member[];

/** Returns a function that finds the schemas of what a Terraform type manages. */
export function resourcesOf(cloud: Cloud, sources: Sources): (type: string) => readonly Member[] {
  const [cloudTypes, find] = [cloudTypesOf(cloud), RESOURCES[cloud](sources)];
  return (type) => (cloudTypes.get(type) ?? []).flatMap((cloudType) => find(cloudType, type));
}

/** Schemas of resources, by cloud. */
const RESOURCES: Readonly<Record<Cloud, (sources: Sources) => FindResources>> = {
  aws: ({ packages, config }) => {
    const types = cloudFormationTypes(join(packages, ".."));
    return (cloudType, type) => {
      const [own = "", property] = cloudType.split(".");
      const resource = types.get(own);
      const isWhole = config !== undefined && property === undefined;
      const recorded = isWhole ? configType(config, own) : undefined;
      return [resource && partOf(type, resource, property), recorded].filter((one) => one !== undefined);
    };
  },
  azure: ({ packages }) => {
    const find = azureTypes(join(packages, "@pulumi/azure-native"));
    return (cloudType, type) => {
      const [own = "", property] = cloudType.split("#");
      const resource = find(own);
      return resource ? [partOf(type, resource, property)] : [];
    };
  },
  gcp: ({ packages }) => googleTypes(join(packages, "googleapis")),
};
