import type { JsonObject } from "@leeway/shared/values/json";

export const document = (action: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: action, Resource: "*" }],
});
export const ADMIN = JSON.stringify(document("*"));
export const OPEN_BUCKET = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" }],
});
export const BOUNDARY = "arn:aws:iam::111111111111:policy/boundary";
export const settings = (values: Record<string, string>) =>
  Object.entries(values).map(([Key, Value]) => ({ Key, Value }));
export const cloudControlRole = (more: JsonObject) => ({
  AssumeRolePolicyDocument: document("sts:AssumeRole"),
  ...more,
});

export const NO_TARGETS = {
  gateway_id: "",
  nat_gateway_id: "",
  transit_gateway_id: "",
  vpc_endpoint_id: "",
  vpc_peering_connection_id: "",
};
export const routeTo = (more: JsonObject): JsonObject => ({
  ...NO_TARGETS,
  cidr_block: "",
  ipv6_cidr_block: "",
  destination_prefix_list_id: "",
  ...more,
});
/** Routes within the network, to a service's endpoint, and from a virtual private gateway. They are in no state. */
export const GIVEN_ROUTES = [
  { destinationCidrBlock: "10.0.0.0/16", gatewayId: "local", origin: "CreateRouteTable", state: "active" },
  { destinationPrefixListId: "pl-1", gatewayId: "vpce-1", origin: "CreateRoute" },
  { destinationCidrBlock: "192.168.0.0/16", gatewayId: "vgw-1", origin: "EnableVgwRoutePropagation" },
];
export const ACL_RULE = {
  rule_no: 100,
  action: "allow",
  protocol: "6",
  cidr_block: "10.0.0.0/8",
  ipv6_cidr_block: "",
  from_port: 443,
  to_port: 443,
  icmp_type: 0,
  icmp_code: 0,
};
