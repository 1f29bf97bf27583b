import { GetResourceCommand } from "@aws-sdk/client-cloudcontrol";
import { type Arn, parseArn } from "@leeway/clouds/aws/arn";
import { cloudControlId } from "@leeway/clouds/aws/identifiers";
import { parseObject } from "@leeway/clouds/aws/payload";
import { catalog, forms } from "@leeway/clouds/aws/types";
import { isObject, type JsonObject } from "@leeway/shared/values/json";

import type { CloudResource, Enrichment } from "../connector.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure, rejectsCredentials } from "./failure.ts";
import { entriesOf, routesOf } from "./network-tables.ts";
import { regionOfGlobal } from "./types.ts";
import { recordsOf } from "./zone-records.ts";

export const GET_RESOURCE = "cloudformation:GetResource";

/** Max time for retries, because a user waits for the answer. */
const PATIENCE_MS = 10_000;

/** Cloud Control's errors for a wrong identifier; another identifier may work. */
const OTHER_IDENTIFIER = /^(?:InvalidRequest|GeneralService|HandlerInternalFailure|HandlerFailure)/;
/** Errors for a missing resource, from Cloud Control and from the services that are called directly. */
const GONE = /^(?:ResourceNotFound|NoSuchHostedZone|Invalid\w+I[Dd]\.NotFound)/;

/** Returns all properties of one resource. @throws {AwsFailure} for failures that the resource didn't cause */
export async function enrich(
  clients: AwsClients,
  resource: CloudResource,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Enrichment> {
  if (!resource.type.startsWith("AWS::"))
    return { outcome: "failed", reason: "unsupported", message: "Cloud Control doesn't support this type" };
  const region =
    parseArn(resource.providerId)?.region || resource.region || regionOfGlobal(resource.type, clients.home);
  const failures: AwsFailure[] = [];
  for (const identifier of identifiersOf(resource, region)) {
    const asked = { region, type: resource.type, identifier, patienceMs };
    const found = await read(clients, asked, signal).catch(unlessOther);
    if (!(found instanceof AwsFailure)) return found;
    failures.push(found);
  }
  const [unclear] = failures;
  if (unclear && !failures.some(isGone)) throw unclear;
  return { outcome: "failed", reason: "not_found", message: `AWS has no such resource in ${region}` };
}

/** Returns a failure that another identifier may fix, or the final outcome; throws all other failures. */
function unlessOther(error: unknown): AwsFailure | Enrichment {
  if (!(error instanceof AwsFailure)) throw error;
  const { code, message } = error.failure;
  if (code === "unsupported" || (code === "permission_denied" && !rejectsCredentials(error)))
    return { outcome: "failed", reason: code, message };
  if (!OTHER_IDENTIFIER.test(error.awsCode) && !isGone(error)) throw error;
  return error;
}

function isGone({ awsCode }: AwsFailure): boolean {
  return GONE.test(awsCode);
}

/** A resource in Cloud Control's terms. */
interface Asked {
  region: string;
  type: string;
  identifier: string;
  patienceMs: number;
}

/** Properties that Cloud Control leaves out, by type, read from the type's own service. */
const LEFT_OUT: Readonly<
  Record<
    string,
    ((clients: AwsClients, asked: Asked, signal: AbortSignal) => Promise<JsonObject>) | undefined
  >
> = {
  "AWS::EC2::NetworkAcl": entriesOf,
  "AWS::EC2::RouteTable": routesOf,
  "AWS::Route53::HostedZone": recordsOf,
};

async function read(clients: AwsClients, asked: Asked, signal: AbortSignal): Promise<Enrichment> {
  const { region, type, identifier, patienceMs } = asked;
  const command = new GetResourceCommand({ TypeName: type, Identifier: identifier });
  const question = { action: GET_RESOURCE, region, patienceMs };
  const { ResourceDescription } = await clients.ask(question, signal, (options) =>
    clients.cloudControl(region).send(command, options),
  );
  const properties = parseObject(ResourceDescription?.Properties);
  if (!isObject(properties))
    throw new AwsFailure({ code: "internal", message: "AWS returned no properties" }, "NoProperties");
  return {
    outcome: "enriched",
    properties: { ...properties, ...(await LEFT_OUT[type]?.(clients, asked, signal)) },
  };
}

/**
 * Returns the possible Cloud Control identifiers, likeliest first: the native id for most types, the ARN for others.
 */
function identifiersOf({ providerId, type }: CloudResource, region: string): string[] {
  const arn = parseArn(providerId);
  if (arn === undefined) return [providerId];
  const entry = catalog.byType(type);
  const id = entry && forms.idOf(entry, arn);
  const special = SPECIAL[type]?.(arn, { providerId, region });
  const ordered = entry && id && cloudControlId(entry, id);
  const candidates = new Set([special ?? "", ordered ?? "", id ?? "", providerId]);
  return [...candidates].filter((candidate) => candidate !== "");
}

type Identifier = (arn: Arn, more: { providerId: string; region: string }) => string;

const SPECIAL: Readonly<Record<string, Identifier | undefined>> = {
  "AWS::SQS::Queue": ({ account, resource }, { region }) =>
    `https://sqs.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/${account}/${resource}`,
  // nodegroup/CLUSTER/NAME/ID
  "AWS::EKS::Nodegroup": ({ resource }) => resource.split("/").slice(1, 3).join("/"),
  // schedule/GROUP/NAME: Cloud Control finds a bare name only in the default group, where it may be another schedule.
  "AWS::Scheduler::Schedule": ({ resource }) => /^schedule\/default\/(.+)$/.exec(resource)?.[1] ?? "",
  "AWS::WAFv2::IPSet": firewallId,
  "AWS::WAFv2::RegexPatternSet": firewallId,
  "AWS::WAFv2::RuleGroup": firewallId,
  "AWS::WAFv2::WebACL": firewallId,
  // service/CLUSTER/NAME
  "AWS::ECS::Service": ({ resource }, { providerId }) => `${providerId}|${resource.split("/")[1] ?? ""}`,
};

/**
 * Returns a WAF resource's identifier from `regional/webacl/NAME/ID`. Cloud Control writes `global` as `CLOUDFRONT`.
 */
function firewallId({ resource }: Arn): string {
  const [place, , name, id] = resource.split("/");
  return `${name}|${id}|${place === "global" ? "CLOUDFRONT" : "REGIONAL"}`;
}
