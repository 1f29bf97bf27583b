import type { JsonObject } from "@leeway/shared/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";

export const DESCRIBE_ROUTE_TABLES = "ec2:DescribeRouteTables";
export const DESCRIBE_NETWORK_ACLS = "ec2:DescribeNetworkAcls";

/** Of whose lists Cloud Control tells nothing. */
interface Table {
  /** Its id. */
  identifier: string;
  region: string;
  patienceMs: number;
}

/** The routes of a route table, and what goes by it. @throws {AwsFailure} */
export async function routesOf(
  clients: AwsClients,
  { identifier, region, patienceMs }: Table,
  signal: AbortSignal,
): Promise<JsonObject> {
  const ec2 = await clients.ec2(region);
  const { RouteTables } = await clients.ask(
    { action: DESCRIBE_ROUTE_TABLES, region, patienceMs },
    signal,
    (options) => ec2.describeRouteTables({ RouteTableIds: [identifier] }, options),
  );
  const [table] = RouteTables ?? [];
  return table ? documentOf({ Routes: table.Routes ?? [], Associations: table.Associations ?? [] }) : {};
}

/** The rules of a network ACL, and the subnets that it is for. @throws {AwsFailure} */
export async function entriesOf(
  clients: AwsClients,
  { identifier, region, patienceMs }: Table,
  signal: AbortSignal,
): Promise<JsonObject> {
  const ec2 = await clients.ec2(region);
  const { NetworkAcls } = await clients.ask(
    { action: DESCRIBE_NETWORK_ACLS, region, patienceMs },
    signal,
    (options) => ec2.describeNetworkAcls({ NetworkAclIds: [identifier] }, options),
  );
  const [acl] = NetworkAcls ?? [];
  return acl ? documentOf({ Entries: acl.Entries ?? [], Associations: acl.Associations ?? [] }) : {};
}
