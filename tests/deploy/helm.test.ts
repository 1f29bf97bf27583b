import { describe, expect, test } from "bun:test";

import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { at, objectAt, SERVICES, textsOf, yamlFile, yamlObjects } from "./kit.ts";
import { validate } from "./schemas.ts";

const CHART = "deploy/helm/leeway";
const BASE = "deploy/kubernetes/base";
const VALUES = await yamlFile(`${CHART}/values.yaml`);
/** Set by the chart itself, so that they match its ports and its address. */
const OWN = new Set(["LISTEN_ADDRESS", "HEALTH_PORT", "PORT", "PUBLIC_BASE_URL"]);
const TO_POSTGRESQL = {
  to: [{ ipBlock: { cidr: "192.0.2.0/24" } }],
  ports: [{ port: 5432, protocol: "TCP" }],
};
const TO_NATS = {
  to: [{ podSelector: { matchLabels: { "app.kubernetes.io/name": "nats" } } }],
  ports: [{ port: 4222, protocol: "TCP" }],
};
const REQUIRED = { postgresql: { peers: TO_POSTGRESQL.to }, nats: { peers: TO_NATS.to } };

test.each(SERVICES)("the chart's settings of %s are those of the base", async (service) => {
  const { configMapGenerator } = await yamlFile(`${BASE}/${service}/kustomization.yaml`);
  const literals = at(configMapGenerator, 0, "literals");
  const pairs = (Array.isArray(literals) ? literals : []).map((pair) => String(pair).split(/=(.*)/s, 2));
  const settings = Object.fromEntries(pairs.filter(([name = ""]) => !OWN.has(name)));
  expect(textsOf(objectAt(VALUES, "settings", service))).toEqual(settings);
});

test("the chart has the repository's version", async () => {
  const { version } = JSON.parse(await read("package.json"));
  expect(await yamlFile(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
});

test("the schema describes every value and refuses others", async () => {
  const schema: unknown = JSON.parse(await read(`${CHART}/values.schema.json`));
  const described = Object.keys(objectAt(schema, "properties")).filter((name) => name !== "global");
  expect(described.toSorted()).toEqual(Object.keys(VALUES).toSorted());
  expect(at(schema, "additionalProperties")).toBe(false);
});

const helm = process.env["HELM_BIN"] ?? Bun.which("helm");
const kubectl = Bun.which("kubectl");
const reason = helm && kubectl ? "" : "(skipped: needs kubectl, and helm on the path or in HELM_BIN) ";

interface Helm {
  code: number;
  objects: JsonObject[];
  said: string;
}

/** Runs a command of helm on the chart with `values`. */
async function run(command: "template" | "lint", values: object = {}): Promise<Helm> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-helm-"));
  await Bun.write(join(folder, "values.json"), JSON.stringify(values));
  const names = command === "template" ? ["leeway"] : [];
  const args = [
    command,
    ...names,
    join(ROOT, CHART),
    "--namespace",
    "leeway",
    "-f",
    join(folder, "values.json"),
  ];
  const { stdout, stderr, exitCode } = Bun.spawnSync([helm ?? "", ...args], { env: { HOME: folder } });
  await rm(folder, { recursive: true });
  const isYaml = command === "template" && exitCode === 0;
  return {
    code: exitCode,
    objects: isYaml ? yamlObjects(stdout.toString()) : [],
    said: stderr.toString() + (isYaml ? "" : stdout.toString()),
  };
}

/** Names a config map without the hash of its content, a job without its revision, and an image without its tag. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") {
    return value
      .replace(/^((?:settings|streams)[a-z-]*?)-[0-9a-z]{10}$/, "$1")
      .replace(/^leeway-migrate-\d+$/, "leeway-migrate")
      .replace(/^(leeway\/[a-z]+):[\w.]+$/, "$1");
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, comparable(inner)]));
}

const keyOf = (object: unknown): string =>
  `${String(at(object, "kind"))} ${String(at(object, "metadata", "name"))}`;

function byKey(objects: readonly JsonObject[]): Record<string, unknown> {
  return Object.fromEntries(objects.map((object) => [keyOf(comparable(object)), comparable(object)]));
}

/** Returns the base with the addresses that an overlay adds. */
function base(): JsonObject[] {
  const { stdout } = Bun.spawnSync(["kubectl", "kustomize", join(ROOT, BASE)]);
  const objects = yamlObjects(stdout.toString()).filter(({ kind }) => kind !== "Namespace");
  for (const object of objects) {
    const rules = at(object, "spec", "egress");
    if (!Array.isArray(rules)) continue;
    const component = at(object, "metadata", "labels", "app.kubernetes.io/component");
    rules.push(...(component === "streams" ? [TO_NATS] : [TO_POSTGRESQL, TO_NATS]));
  }
  return objects;
}

/** Returns the paths that an ingress opens. */
function pathsOf(object: unknown): string[] {
  const paths = at(object, "spec", "rules", 0, "http", "paths");
  return (Array.isArray(paths) ? paths : [])
    .map((one) => `${String(at(one, "pathType"))} ${String(at(one, "path"))}`)
    .toSorted();
}

describe.skipIf(reason !== "")(`${reason}the chart, rendered by helm`, () => {
  test("has the same objects as the base, member for member", async () => {
    const { code, said, objects } = await run("template", REQUIRED);
    expect([code, said]).toEqual([0, ""]);
    expect(byKey(objects)).toEqual(byKey(base()));
  });

  test("passes helm's lint", async () => {
    const { code, said } = await run("lint", REQUIRED);
    expect([code, said]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  });

  test("matches Kubernetes' schemas with every option", async () => {
    const { objects } = await run("template", {
      ...REQUIRED,
      ingress: { enabled: true },
      smtp: { peers: TO_POSTGRESQL.to },
      caConfigMap: "leeway-ca",
      image: { repository: "registry.example.com/leeway", digests: { tools: `sha256:${"a".repeat(64)}` } },
      pod: { nodeSelector: { disk: "fast" }, imagePullSecrets: [{ name: "registry" }] },
      secrets: { gateway: "from-vault" },
      settings: { gateway: { LOG_LEVEL: "debug" } },
    });
    for (const object of objects) validate(object);
    const all = byKey(objects);
    const gateway = objectAt(all["Deployment leeway-gateway"], "spec", "template", "spec");
    expect(gateway).toMatchObject({
      nodeSelector: { disk: "fast" },
      imagePullSecrets: [{ name: "registry" }],
    });
    expect(at(gateway, "containers", 0)).toMatchObject({
      image: "registry.example.com/leeway/gateway:0.1.0",
      env: [{ name: "NODE_EXTRA_CA_CERTS", value: "/etc/leeway/ca.crt" }],
      envFrom: [{}, { secretRef: { name: "from-vault" } }],
    });
    expect(at(all["Job leeway-migrate"], "spec", "template", "spec", "containers", 0, "image")).toBe(
      `registry.example.com/leeway/tools@sha256:${"a".repeat(64)}`,
    );
  });

  test("opens the same paths as the production overlay", async () => {
    const { objects } = await run("template", { ...REQUIRED, ingress: { enabled: true } });
    const overlay = await yamlFile("deploy/kubernetes/overlays/production/ingress.yaml");
    const own = objects.find(({ kind }) => kind === "Ingress");
    expect(pathsOf(own)).toEqual(pathsOf(overlay));
    expect(at(own, "metadata", "annotations")).toEqual(at(overlay, "metadata", "annotations"));
  });

  test("changes the name of settings when they change, so that pods restart", async () => {
    const names = await Promise.all(
      ["info", "debug"].map(async (LOG_LEVEL) => {
        const { objects } = await run("template", { ...REQUIRED, settings: { quota: { LOG_LEVEL } } });
        return objects
          .map((object) => keyOf(object))
          .filter((key) => key.startsWith("ConfigMap settings-quota"));
      }),
    );
    expect(names.map((each) => each.length)).toEqual([1, 1]);
    expect(names[0]).not.toEqual(names[1]);
  });

  test.each<[string, object, string]>([
    ["no address of PostgreSQL", { nats: REQUIRED.nats }, "postgresql.peers is required"],
    ["an unknown value", { ...REQUIRED, replicas: 3 }, "Additional property replicas is not allowed"],
    [
      "an unknown setting",
      { ...REQUIRED, settings: { quota: { LOGLEVEL: "info" } } },
      "LOGLEVEL is not allowed",
    ],
    ["a tag as a digest", { ...REQUIRED, image: { digests: { tools: "0.1.0" } } }, "digests.tools"],
    ["another security context", { ...REQUIRED, pod: { securityContext: {} } }, "pod.securityContext"],
  ])("refuses %s", async (_, values, reason) => {
    const { code, said } = await run("template", values);
    expect([code, said]).toEqual([1, expect.stringContaining(reason)]);
  });

  test("needs no addresses without network policies", async () => {
    const { code, objects } = await run("template", { networkPolicy: { enabled: false } });
    expect([code, objects.filter(({ kind }) => kind === "NetworkPolicy")]).toEqual([0, []]);
  });
});
