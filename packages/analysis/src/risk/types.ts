import { AWS } from "./tables/aws.ts";
import { AZURE } from "./tables/azure.ts";
import { GCP } from "./tables/gcp.ts";
import { GENERATED, OTHER, RELEASES } from "./tables/other.ts";
import type { AdminGrant, CloudTable, FullRole, InboundRules, Sign } from "./tables/table.ts";

const TABLES: readonly CloudTable[] = [AWS, GCP, AZURE, OTHER];

type TypeNames = "stateful" | "besideStateful" | "keyMaterial" | "containers" | "serving" | "nodePools";
type MoreTypeNames =
  | "clusters"
  | "revisions"
  | "networkPolicy"
  | "iam"
  | "trafficPath"
  | "audit"
  | "protectionSettings"
  | "publicAccessBlocks"
  | "encryptionSettings";
type Signs = "protections" | "keyDisabling" | "disruptions" | MoreSigns;
type MoreSigns = "publicAccess" | "access" | "reach" | "encryption" | "auditing";

/** Whether a type is one of `names`, where `*` stands for any characters. */
export type TypeTest = (type: string) => boolean;

/** What tells whether a text is one of `names`, where `*` stands for any characters. */
export function oneOf(names: readonly string[]): TypeTest {
  const exact = new Set(names.filter((name) => !name.includes("*")));
  const patterns = names.filter((name) => name.includes("*")).map(pattern);
  if (patterns.length === 0) return (text) => exact.has(text);
  const any = new RegExp(`^(?:${patterns.join("|")})$`);
  return (text) => exact.has(text) || any.test(text);
}

/** Node.js 20, under which the command line may run, has no `RegExp.escape`. */
function pattern(name: string): string {
  return name.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll("*", ".*");
}

function typesOf(kind: TypeNames | MoreTypeNames): TypeTest {
  return oneOf(TABLES.flatMap((table) => table[kind]));
}

export const isStateful = typesOf("stateful");
export const isKeyMaterial = typesOf("keyMaterial");
export const isContainer = typesOf("containers");
export const isServing = typesOf("serving");
export const isCluster = typesOf("clusters");
export const isNodePool = typesOf("nodePools");
export const isRevision = typesOf("revisions");
export const isNetworkPolicy = typesOf("networkPolicy");
export const isIam = typesOf("iam");
export const isTrafficPath = typesOf("trafficPath");
const BESIDE_PATH = rows(TABLES.flatMap((table) => table.besidePath)).map((row) => ({
  ...row,
  names: oneOf(row.attributes),
}));

/** Whether an attribute of a type on the path of traffic doesn't say where that goes. */
export function isBesidePath(type: string, attribute: string): boolean {
  return BESIDE_PATH.some(({ isFor, names }) => isFor(type) && names(attribute));
}

export const isAudit = typesOf("audit");
export const isProtectionSetting = typesOf("protectionSettings");
export const isPublicAccessBlock = typesOf("publicAccessBlocks");
export const isEncryptionSetting = typesOf("encryptionSettings");
export const isGenerated = oneOf(GENERATED);
export const isRelease = oneOf(RELEASES);
export const CAPACITY = TABLES.flatMap(({ capacity }) => capacity);
export const isCapacity = oneOf(CAPACITY);
const isBesideStateful = typesOf("besideStateful");

/** Whether a type holds data or is about one that does, as `google_storage_bucket_iam_member` is about a bucket. */
export function concernsStateful(type: string): boolean {
  return isStateful(type) || isBesideStateful(type) || isStateful(type.replace(/_iam_[a-z]+$/, ""));
}

const PROVIDERS = new Set(TABLES.flatMap(({ providers }) => providers));

/** Whether the tables know the types of this type's provider. */
export function isOfKnownProvider(type: string): boolean {
  return PROVIDERS.has(type.split("_", 1).join(""));
}

/** Rows of the tables, with what tells whether a type is theirs. */
function rows<Row extends { types: readonly string[] }>(
  given: readonly Row[],
): (Row & { isFor: TypeTest })[] {
  return given.map((row) => ({ ...row, isFor: oneOf(row.types) }));
}

/** Signs, with what tells whether a type or an attribute is meant. */
export interface SignTest extends Sign {
  isFor: TypeTest;
  names: TypeTest;
}

function signsOf(kind: Signs): readonly SignTest[] {
  return rows(TABLES.flatMap((table) => table[kind])).map((row) => ({
    ...row,
    names: oneOf(row.attributes),
  }));
}

export const PROTECTIONS = signsOf("protections");
export const KEY_DISABLING = signsOf("keyDisabling");
export const DISRUPTIONS = signsOf("disruptions");
export const PUBLIC_ACCESS = signsOf("publicAccess");
export const EXPOSURES = rows(TABLES.flatMap(({ exposures }) => exposures));
export const CLOSURES = rows(TABLES.flatMap(({ closures }) => closures)).map((row) => ({
  ...row,
  names: oneOf(row.attributes),
}));
export const ACCESS = signsOf("access");
export const REACH = signsOf("reach");
export const ENCRYPTION = signsOf("encryption");
export const AUDITING = signsOf("auditing");
export const ENCRYPTION_SWITCHES = rows(TABLES.flatMap(({ encryptionSwitches }) => encryptionSwitches));
export const AUDIT_SWITCHES = rows(TABLES.flatMap(({ auditSwitches }) => auditSwitches));
export const INBOUND: readonly (InboundRules & { isFor: TypeTest })[] = rows(
  TABLES.flatMap(({ inbound }) => inbound),
);
export const FULL_ROLES: readonly (FullRole & { isFor: TypeTest })[] = rows(
  TABLES.flatMap(({ fullRoles }) => fullRoles),
);
export const ADMIN: readonly (AdminGrant & { isFor: TypeTest })[] = rows(
  TABLES.flatMap(({ admin }) => admin),
);
