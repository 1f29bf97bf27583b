import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { hasEverybody, isEmpty, numeric, textsOf } from "./attribute-values.ts";
import type { Opening } from "./openings.ts";

const SERVICE = /^kubernetes_service(?:_v1)?$/;

/** Returns the ports of a service that newly gets a public load balancer. */
export function serviceOpenings(type: string, { before, after }: ResourceChange): Opening[] {
  if (!SERVICE.test(type) || !isPublic(after) || isPublic(before) || before === null) return [];
  const path = ["spec", 0, "type"];
  return portsOf(specOf(after)).map((port) => ({
    from: port,
    to: port,
    protocol: "tcp",
    ip: "4",
    path,
    source: "the internet",
  }));
}

function specOf(side: Json): JsonObject {
  if (!isObject(side)) return {};
  const manifest = member(side, "manifest") ?? side;
  return member(manifest, "spec") ?? members(manifest, "spec")[0] ?? {};
}

function isPublic(side: Json): boolean {
  const spec = specOf(side);
  if (text(spec, "type") !== "LoadBalancer") return false;
  const ranges = spec["load_balancer_source_ranges"] ?? spec["loadBalancerSourceRanges"];
  return !isInternal(side) && (isEmpty(ranges) || hasEverybody(ranges));
}

/** Annotations that make a load balancer internal. */
const INTERNAL = /load-balancer-(?:internal|scheme|type)$/;

function isInternal(side: Json): boolean {
  if (!isObject(side)) return false;
  const manifest = member(side, "manifest") ?? side;
  const metadata = member(manifest, "metadata") ?? members(manifest, "metadata")[0] ?? {};
  return Object.entries(member(metadata, "annotations") ?? {}).some(
    ([name, value]) =>
      INTERNAL.test(name) && textsOf(value).some((word) => /^(?:internal|true)$/i.test(word)),
  );
}

function portsOf(spec: JsonObject): number[] {
  return [...members(spec, "port"), ...members(spec, "ports")]
    .map((port) => numeric(port["port"]))
    .filter((port) => port > 0);
}
