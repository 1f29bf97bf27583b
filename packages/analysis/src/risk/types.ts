import type { Loss } from "@leeway/clouds/loss";
import { TYPE_FACTS } from "@leeway/clouds/type-facts.gen";
import { isObject, type Json } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { lossInName } from "./general/type-names.ts";
import { AWS } from "./tables/aws.ts";
import { AZURE } from "./tables/azure.ts";
import { GCP } from "./tables/gcp.ts";
import * as guards from "./tables/guards.ts";
import { GENERATED, LOCAL, OTHER, RELEASES } from "./tables/other.ts";
import { ADMIN_ANYWHERE } from "./tables/rights.ts";
import {
  names,
  type AdminGrant,
  type CloudTable,
  type FullRole,
  type InboundRules,
  type Sign,
} from "./tables/table.ts";
import { UNCATALOGUED } from "./tables/uncatalogued.ts";

const TABLES: readonly CloudTable[] = [AWS, GCP, AZURE, OTHER];

/** Members of a table whose values are of one kind. */
type MembersOf<Value> = {
  [Name in keyof CloudTable]: CloudTable[Name] extends readonly Value[] ? Name : never;
}[keyof CloudTable];

/** Checks whether a type is one of `names`, where `*` matches any characters. */
export type TypeTest = (type: string) => boolean;

/** Builds a test of whether a text is one of `names`, where `*` matches any characters. */
export function oneOf(names: readonly string[]): TypeTest {
  const exact = new Set(names.filter((name) => !name.includes("*")));
  const patterns = names.filter((name) => name.includes("*")).map(pattern);
  if (patterns.length === 0) return (text) => exact.has(text);
  const any = new RegExp(`^(?:${patterns.join("|")})$`);
  return (text) => exact.has(text) || any.test(text);
}

/** Builds a regular expression. The command line supports Node.js 20, which has no `RegExp.escape`. */
function pattern(name: string): string {
  return name.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll("*", ".*");
}

function typesOf(kind: MembersOf<string>): TypeTest {
  return oneOf(TABLES.flatMap((table) => table[kind]));
}

/** Builds a test of whether deleting a resource of a type causes a loss. */
function losing(loss: Exclude<Loss, "other">): TypeTest {
  return oneOf([...names(TYPE_FACTS.losing[loss]), ...UNCATALOGUED[loss]]);
}

export const isStateful = losing("stateful");
export const isMaybeStateful = losing("maybe_stateful");
export const isKeyMaterial = losing("key_material");
export const isContainer = losing("container");
export const isServing = losing("serving");
export const isCluster = typesOf("clusters");
export const isNodePool = typesOf("nodePools");
export const isRevision = typesOf("revisions");
export const isNetworkPolicy = typesOf("networkPolicy");
const isAccess = typesOf("iam");
/** Checks for types that control access. AWS writes the policies of its service-linked roles. */
export const isIam: TypeTest = (type) => isAccess(type) && type !== "aws_iam_service_linked_role";
export const isTrafficPath = typesOf("trafficPath");
const BESIDE_PATH = rows(TABLES.flatMap((table) => table.besidePath)).map((row) => ({
  ...row,
  names: oneOf(row.attributes),
}));

/** Returns whether an attribute of a traffic type doesn't affect where traffic goes. */
export function isBesidePath(type: string, attribute: string): boolean {
  return BESIDE_PATH.some(({ isFor, names }) => isFor(type) && names(attribute));
}

export const isAudit = typesOf("audit");
export const isProtectionSetting = typesOf("protectionSettings");
export const isPublicAccessBlock = typesOf("publicAccessBlocks");
export const isEncryptionSetting = typesOf("encryptionSettings");
export const isGenerated = oneOf(GENERATED);
export const isLocal = oneOf(LOCAL);
export const isRelease = oneOf(RELEASES);
export const CAPACITY = TABLES.flatMap(({ capacity }) => capacity);
export const isCapacity = oneOf(CAPACITY);
const isBesideStateful = typesOf("besideStateful");

const HOLDERS = rows(TABLES.flatMap(({ holders }) => holders));

/**
 * Returns whether a resource holds data or keys, as far as its attributes decide that. A masked attribute counts as
 * holding.
 */
export function isHolder(type: string, side: Json): boolean {
  return HOLDERS.filter(({ isFor }) => isFor(type)).every(({ attribute, only }) => {
    const value = isObject(side) ? side[attribute] : undefined;
    return typeof value !== "string" || value === REDACTED || only.includes(value.toLowerCase());
  });
}

/**
 * Returns whether a type holds data or concerns one that does, as `google_storage_bucket_iam_member` concerns a
 * bucket.
 */
export function concernsStateful(type: string): boolean {
  return (
    isStateful(type) ||
    isMaybeStateful(type) ||
    isBesideStateful(type) ||
    isStateful(type.replace(/_iam_[a-z]+$/, "")) ||
    suggestedLoss(type) === "maybe_stateful"
  );
}

const PROVIDERS = new Set(TABLES.flatMap(({ providers }) => providers));

/** Returns whether the tables cover this type's provider. */
export function isOfKnownProvider(type: string): boolean {
  return PROVIDERS.has(type.split("_", 1).join(""));
}

/** Returns the loss that the name of a type suggests, if no table covers its provider. */
export function suggestedLoss(type: string): Loss {
  return isOfKnownProvider(type) ? "other" : lossInName(type);
}

/** Adds a type test to each row of a table. */
function rows<Row extends { types: readonly string[] }>(
  given: readonly Row[],
): (Row & { isFor: TypeTest })[] {
  return given.map((row) => ({ ...row, isFor: oneOf(row.types) }));
}

/** A sign with tests for its types and attributes. */
export interface SignTest extends Sign {
  isFor: TypeTest;
  names: TypeTest;
}

function signsOf(kind: MembersOf<Sign>): readonly SignTest[] {
  return testsOf(TABLES.flatMap((table) => table[kind]));
}

function testsOf(signs: readonly Sign[]): readonly SignTest[] {
  return rows(signs).map((row) => ({ ...row, names: oneOf(row.attributes) }));
}

export const PROTECTIONS = signsOf("protections");
export const KEY_DISABLING = signsOf("keyDisabling");
export const DISRUPTIONS = signsOf("disruptions");
export const PUBLIC_ACCESS = signsOf("publicAccess");

/** Returns whether a table lists an attribute as granting public access. */
export function isPublicSign(type: string, attribute: string): boolean {
  return [...PUBLIC_ACCESS, ...PUBLIC_GUARDS].some(({ isFor, names }) => isFor(type) && names(attribute));
}

export const EXPOSURES = rows(TABLES.flatMap(({ exposures }) => exposures));
export const CLOSURES = rows([...TABLES.flatMap(({ closures }) => closures), ...guards.GUARD_CLOSURES]).map(
  (row) => ({
    ...row,
    names: oneOf(row.attributes),
  }),
);
export const ACCESS = signsOf("access");
export const REACH = signsOf("reach");
export const ENCRYPTION = signsOf("encryption");
export const AUDITING = signsOf("auditing");
export const PUBLIC_GUARDS = testsOf(guards.PUBLIC_GUARDS);
export const CREATED_OPEN = testsOf(guards.CREATED_OPEN);
export const CREATED_PLAIN = testsOf(guards.CREATED_PLAIN);
export const CREATED_UNENCRYPTED = testsOf(guards.CREATED_UNENCRYPTED);
export const KEY_MANAGEMENT = testsOf(guards.KEY_MANAGEMENT);
export const GUARD_SIGNS = testsOf(guards.GUARD_SIGNS);
export const isGuard = oneOf(guards.GUARD_TYPES);
export const ORIGINS = testsOf(guards.ORIGINS);
export const STOPS = testsOf(guards.STOPS);
export const RESTARTS = testsOf(guards.RESTARTS);
export const REDUCTIONS = testsOf(guards.REDUCTIONS);
export const ENCRYPTION_SWITCHES = rows(TABLES.flatMap(({ encryptionSwitches }) => encryptionSwitches));
export const AUDIT_SWITCHES = rows(TABLES.flatMap(({ auditSwitches }) => auditSwitches));
export const INBOUND: readonly (InboundRules & { isFor: TypeTest })[] = rows(
  TABLES.flatMap(({ inbound }) => inbound),
);
export const FULL_ROLES: readonly (FullRole & { isFor: TypeTest })[] = rows(
  TABLES.flatMap(({ fullRoles }) => fullRoles),
);
export const ADMIN: readonly (AdminGrant & { isFor: TypeTest })[] = rows([
  ...TABLES.flatMap(({ admin }) => admin),
  ...ADMIN_ANYWHERE,
]);
