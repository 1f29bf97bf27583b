import { describe, expect, test } from "bun:test";

import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { at, objectAt, yamlFile, yamlObjects } from "./kit.ts";

/**
 * Record of an installation of 0.1.0: fields that Kubernetes refuses to change, and the places of data and secrets. A
 * change of one would leave data behind. If it is needed, CHANGELOG.md gets the upgrade steps and this record changes
 * with them.
 */
const RECORD = "tests/deploy/kept-by-upgrades.json";
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["selector"],
  StatefulSet: ["selector", "serviceName", "podManagementPolicy", "volumeClaimTemplates"],
};

const kubectl = Bun.which("kubectl");

function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => [item, ...membersOf(item)]);
  return isObject(value) ? Object.values(value).flatMap((item) => [item, ...membersOf(item)]) : [];
}

/** Returns the names of secrets that workloads read. People create them, so they must keep their names. */
function secretsOf(objects: readonly JsonObject[]): string[] {
  const names = membersOf(objects).flatMap((value) => [
    at(value, "secretRef", "name"),
    at(value, "secretKeyRef", "name"),
    at(value, "secret", "secretName"),
  ]);
  return [...new Set(names.filter((name) => typeof name === "string"))].toSorted();
}

/** Returns the fields of a workload that an upgrade can't change, and where it mounts its volumes. */
function keptOf(object: JsonObject): [string, JsonObject][] {
  const { kind, spec } = object;
  const fields = IMMUTABLE[String(kind)];
  if (!fields) return [];
  const immutable = fields.flatMap((field) => {
    const value = at(spec, field);
    return value === undefined ? [] : [[field, value]];
  });
  const claims = at(spec, "volumeClaimTemplates");
  const names = new Set((Array.isArray(claims) ? claims : []).map((claim) => at(claim, "metadata", "name")));
  const mounts = membersOf(objectAt(spec, "template")).filter((one) => names.has(at(one, "name")));
  const key = `${String(kind)} ${String(at(object, "metadata", "name"))}`;
  return [[key, { ...Object.fromEntries(immutable), ...(mounts.length > 0 && { mounts }) }]];
}

function inOverlay(name: string): object {
  const folder = join(ROOT, "deploy/kubernetes/overlays", name);
  const { stdout, stderr, exitCode } = Bun.spawnSync([kubectl ?? "", "kustomize", folder]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  const objects = yamlObjects(stdout.toString());
  return { workloads: Object.fromEntries(objects.flatMap(keptOf)), secrets: secretsOf(objects) };
}

describe("an upgrade from 0.1.0 finds its data:", () => {
  const record = read(RECORD).then((text): unknown => JSON.parse(text));

  // The chart has the same objects as the base, by helm.test.ts.
  test.skipIf(!kubectl).each(["local", "production"])(
    "workloads of the overlay %s keep their immutable fields, volumes and secrets (skipped without kubectl)",
    async (name) => {
      expect(inOverlay(name)).toEqual(objectAt(await record, name));
    },
  );

  test("services of compose keep their volumes", async () => {
    const { name = "", services = {}, volumes = {} } = await yamlFile("docker-compose.yml");
    const mounts = Object.keys(objectAt(services)).flatMap((service) => {
      const own = at(services, service, "volumes");
      return (Array.isArray(own) ? own : []).map((mount) => `${service} ${String(mount)}`);
    });
    const names = Object.keys(objectAt(volumes));
    const kept = mounts.filter((mount) => names.some((volume) => mount.includes(` ${volume}:`)));
    expect<unknown>({ name, volumes, mounts: kept }).toEqual(objectAt(await record, "compose"));
  });

  test("the trial image keeps its data in /data", async () => {
    const dockerfile = await read("Dockerfile");
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    expect(dockerfile).toContain("LEEWAY_DATA_DIR=/data");
  });
});
