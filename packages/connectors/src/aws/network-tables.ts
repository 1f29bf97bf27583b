import type { JsonObject } from "@leeway/shared/values/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";

export const DESCRIBE_ROUTE_TABLES = "ec2:DescribeRouteTables";
export const DESCRIBE_NETWORK_ACLS = "ec2:DescribeNetworkAcls";

/** A route table or network ACL. Cloud Control omits their lists. */
interface Table {
  /** Id of the table. */
  identifier: string;
  region: string;
  patienceMs: number;
}

/** Returns the routes and associations of a route table. @throws {AwsFailure} */
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

/** Returns the rules of a network ACL, and its subnets. @throws {AwsFailure} */
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
