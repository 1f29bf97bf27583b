import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openCatalog } from "@leeway/clouds/catalog";

import { configType } from "./aws-config.ts";
import { azureTypes } from "./azure.ts";
import { cloudFormationTypes } from "./cloudformation.ts";
import { documentsIn } from "./documents.ts";
import { exceptionsOf } from "./exceptions.ts";
import { withFixed } from "./fixed.ts";
import { googleTypes } from "./google.ts";
import { joined, type Joined } from "./join.ts";
import type { Argument, Member } from "./schema.ts";
import { withPrevious, type Version } from "./previous.ts";
import { secretAttributes } from "./secrets.ts";
import { isListedPart } from "../src/parts.ts";
import { itemOf } from "./places.ts";
import { corrected, linesOf, withOthers } from "./table.ts";
import { terraformTypes } from "./terraform.ts";

const CATALOGS = join(import.meta.dir, "../../clouds/src");
export const CLOUDS = ["aws", "azure", "gcp"] as const;
export type Cloud = (typeof CLOUDS)[number];
/** Names of the clouds' Terraform providers. */
export const PROVIDERS: Readonly<Record<Cloud, string>> = { aws: "aws", azure: "azurerm", gcp: "google" };

/** Folders with the schemas. */
export interface Sources {
  /** `node_modules` with the packages. */
  packages: string;
  /** Checkout of awslabs/aws-config-resource-schema. */
  config: string | undefined;
}

/** Finds the counterparts of a type's arguments in one of a cloud's own types. */
type Join = (terraformType: string, args: readonly Argument[], cloudType: string) => readonly Joined[];

const HEADER = `# Made by \`bun run knowledge\`; do not edit. See packages/drift/README.md.
type\tattribute\tlive\tkind\tflags`;

/** Returns a cloud's table. */
export function tableOf(cloud: Cloud, sources: Sources): string {
  const newest = terraformTypes(join(sources.packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
  const previous = terraformTypes(join(sources.packages, `previous-${PROVIDERS[cloud]}/lib`));
  const secrets = secretAttributes(join(sources.packages, `@pulumi/${cloud}`));
  const sensitive = new Set([...secrets.values()].flatMap((names) => [...names]));
  const documents = documentsIn(join(sources.packages, `@pulumi/${cloud}`));
  const exceptions = exceptionsOf(cloud);
  const joinOf = { aws: awsJoin, azure: azureJoin, gcp: googleJoin }[cloud](sources);
  const cloudTypes = cloudTypesOf(cloud);
  const versionOf = (type: string, args: readonly Argument[] = []): Version => {
    const found = (cloudTypes.get(type) ?? []).map((cloudType) => joinOf(type, args, cloudType));
    return { args, found: longest(found) };
  };
  const types = [...new Set([...newest.keys(), ...previous.keys()])].toSorted();
  const lines = types.flatMap((type) => {
    const [now, before] = [versionOf(type, newest.get(type)), versionOf(type, previous.get(type))];
    const found = corrected(withPrevious(now, before, sensitive), exceptions.get(type));
    const marked = withFixed(found, { type, args: now.args }, documents);
    return linesOf(type, marked, secrets.get(type) ?? new Set());
  });
  return `${HEADER}\n${lines.join("\n")}\n`;
}

/** Returns a cloud's types by Terraform type. */
export function cloudTypesOf(cloud: Cloud): ReadonlyMap<string, readonly string[]> {
  const { entries } = openCatalog(readFileSync(join(CATALOGS, cloud, "catalog.tsv"), "utf8"));
  const pairs = entries.flatMap(({ type, terraform }) =>
    terraform.map((one): [string, string] => [one, type]),
  );
  const groups = Map.groupBy(pairs, ([terraform]) => terraform);
  return new Map([...groups].map(([terraform, group]) => [terraform, group.map(([, type]) => type)]));
}

function awsJoin({ packages, config }: Sources): Join {
  const types = cloudFormationTypes(join(packages, ".."));
  return (type, args, cloudType) => {
    const [own = "", property] = cloudType.split(".");
    const resource = types.get(own);
    const found = resource ? joined(type, args, partOf(type, resource, property)) : [];
    const recorded = config !== undefined && property === undefined ? configType(config, own) : undefined;
    return recorded ? withOthers(found, joined(type, args, recorded)) : found;
  };
}

function azureJoin({ packages }: Sources): Join {
  const find = azureTypes(join(packages, "@pulumi/azure-native"));
  return (type, args, cloudType) => {
    const [own = "", property] = cloudType.split("#");
    const resource = find(own);
    return resource ? joined(type, args, partOf(type, resource, property)) : [];
  };
}

function googleJoin({ packages }: Sources): Join {
  const find = googleTypes(join(packages, "googleapis"));
  return (type, args, cloudType) => longest(find(cloudType).map((resource) => joined(type, args, resource)));
}

function longest(found: readonly (readonly Joined[])[]): readonly Joined[] {
  return found.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * Returns a resource with only the member that a part consists of. If the comparison finds the part in a list, the list's
 * item is the resource.
 * @param type the part's Terraform type
 */
export function partOf(type: string, resource: Member, name: string | undefined): Member {
  if (name === undefined) return resource;
  const member = resource.members?.().get(name);
  const item = member && isListedPart(type) ? itemOf(member) : undefined;
  if (item) return item;
  const isOne = member !== undefined && member.kind !== "list";
  return { kind: "object", members: () => new Map(isOne ? [[name, member]] : []) };
}
