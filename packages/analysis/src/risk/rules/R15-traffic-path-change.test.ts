import { expect, test } from "bun:test";

import { create, findingBy, update, type Given, type RatedFinding } from "../change.fixture.ts";

test.each<[string, Given, RatedFinding | undefined]>([
  [
    "a route",
    update("aws_route", { gateway_id: "a" }, { gateway_id: "b" }),
    ["traffic_path_change", "medium", "medium", [["gateway_id"]]],
  ],
  [
    "a DNS record",
    update("google_dns_record_set", { rrdatas: ["a"] }, { rrdatas: ["b"] }),
    ["traffic_path_change", "medium", "medium", [["rrdatas", 0]]],
  ],
  [
    "an Azure peering",
    update("azurerm_virtual_network_peering", { a: 1 }, { a: 2 }),
    ["traffic_path_change", "medium", "medium", [["a"]]],
  ],
  ["a new route", create("aws_route"), undefined],
  [
    "the target of a listener",
    update(
      "aws_lb_listener",
      { ssl_policy: "a", default_action: [{ target_group_arn: "a" }] },
      { ssl_policy: "b", default_action: [{ target_group_arn: "b" }] },
    ),
    ["traffic_path_change", "medium", "medium", [["default_action", 0, "target_group_arn"]]],
  ],
  [
    "the TLS policy of a listener",
    update("aws_lb_listener", { ssl_policy: "a" }, { ssl_policy: "b" }),
    undefined,
  ],
  ["the TTL of a DNS record", update("aws_route53_record", { ttl: 60 }, { ttl: 300 }), undefined],
  ["the TTL of a Google DNS record", update("google_dns_record_set", { ttl: 60 }, { ttl: 300 }), undefined],
  ["the TTL of an Azure DNS record", update("azurerm_dns_a_record", { ttl: 60 }, { ttl: 300 }), undefined],
  [
    "an update without visible attributes",
    update("aws_route", {}, {}),
    ["traffic_path_change", "medium", "medium", []],
  ],
  ["a queue", update("aws_sqs_queue", { a: 1 }, { a: 2 }), undefined],
  [
    "a network with another DNS server",
    update("azurerm_virtual_network", { dns_servers: ["10.0.0.4"] }, { dns_servers: ["203.0.113.9"] }),
    ["traffic_path_change", "medium", "medium", [["dns_servers", 0]]],
  ],
  [
    "a network with another address range",
    update(
      "azurerm_virtual_network",
      { address_space: ["10.0.0.0/16"] },
      { address_space: ["10.0.0.0/16", "10.1.0.0/16"] },
    ),
    undefined,
  ],
])("R15: %s", (_name, given, expected) => {
  expect(findingBy("R15", given)).toEqual(expected);
});
