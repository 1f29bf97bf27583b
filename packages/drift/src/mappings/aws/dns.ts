import { sameJson, type Json } from "@leeway/shared/values/json";

import { alignedValues, meant } from "../../aligned.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { row, unlessGone } from "../../shapes.ts";

/** Route 53 omits unset members of a record, but never its type. */
const recordRow = (path: string, shape: Shape = mirrored): Row => unlessGone(row(path, shape), "Type");

/** Compares record values in the provider's format, in which TXT values have no surrounding quotes. */
const values: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const known = Array.isArray(declared) ? declared : [];
  return alignedValues(
    meant(live, known, (item, one) => sameJson(unquoted(item), unquoted(one))).map((item) =>
      known.includes(item) ? item : unquoted(item),
    ),
    known,
  );
};

function unquoted(value: Json): Json {
  return typeof value === "string" && /^".*"$/s.test(value) ? value.slice(1, -1) : value;
}

/** Compares an alias's host, ignoring case and a trailing dot. Older providers omit a load balancer's prefix. */
const host: Shape = (live, declared) => {
  if (typeof live !== "string") return undefined;
  return typeof declared === "string" && plainHost(live) === plainHost(declared) ? declared : plainName(live);
};

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function plainHost(name: string): string {
  return plainName(name).replace(/^dualstack\./, "");
}

export const AWS_DNS: MappingTable = {
  aws_route53_zone: { comment: "HostedZoneConfig.Comment | Config.Comment" },
  aws_route53_record: {
    ttl: recordRow("TTL"),
    records: recordRow("ResourceRecords[].Value", values),
    health_check_id: recordRow("HealthCheckId"),
    multivalue_answer_routing_policy: recordRow("MultiValueAnswer"),
    "alias.name": recordRow("AliasTarget.DNSName", host),
    "alias.zone_id": recordRow("AliasTarget.HostedZoneId"),
    "alias.evaluate_target_health": recordRow("AliasTarget.EvaluateTargetHealth"),
    "weighted_routing_policy.weight": "Weight",
    "latency_routing_policy.region": "Region",
    "failover_routing_policy.type": "Failover",
    "geolocation_routing_policy.continent": "GeoLocation.ContinentCode",
    "geolocation_routing_policy.country": "GeoLocation.CountryCode",
    "geolocation_routing_policy.subdivision": "GeoLocation.SubdivisionCode",
  },
};
