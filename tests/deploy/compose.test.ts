import { afterAll, beforeAll, expect, test } from "bun:test";

import { loadConfig } from "@leeway/shared/platform/config";
import { busKeys } from "@leeway/shared/security/encryption/bus-keys";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { serviceKeys } from "@leeway/shared/security/encryption/service-keys";
import { $ } from "bun";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { at, environment, objectAt, SERVICES, shell, textsOf, variablesOf, yamlFile } from "./kit.ts";

const MAIN = await yamlFile("docker-compose.yml");
const CLUSTER = await yamlFile("deploy/compose/nats-cluster.yml");
const EXAMPLE = environment(await read(".env.example"));

let folder: string;
let made: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-env-"));
  await shell("deploy/compose/make-env.sh", [join(folder, ".env")]);
  made = environment(await Bun.file(join(folder, ".env")).text());
});

afterAll(() => rm(folder, { recursive: true }));

/** Interpolates a value as compose does. Unset variables become empty. */
function interpolated(value: string): string {
  return value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    return made[name] || (fallback ?? "");
  });
}

function environmentOf(service: string): Record<string, string> {
  const given = textsOf(objectAt(MAIN, "services", service, "environment"));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, interpolated(value)]));
}

function only(services: Record<string, unknown>, names: RegExp): Record<string, unknown> {
  return Object.fromEntries(Object.entries(services).filter(([name]) => names.test(name)));
}

test.each(SERVICES)("compose gives %s exactly the variables that it reads", async (service) => {
  const given = Object.keys(objectAt(MAIN, "services", service, "environment"));
  expect(given.toSorted()).toEqual(Object.keys(await variablesOf(service)).toSorted());
});

test.each(SERVICES)("a fresh .env is valid for %s and contains every required variable", async (service) => {
  const config = loadConfig(await variablesOf(service), environmentOf(service));
  expect(config["DATABASE_URL"]).toStartWith(`postgres://leeway_${service}:p`);
});

test.each(SERVICES)("defaults of compose for %s equal those in the code", async (service) => {
  const variables = await variablesOf(service);
  const texts = textsOf(objectAt(MAIN, "services", service, "environment"));
  for (const [name, text] of Object.entries(texts)) {
    const fallback = /^\$\{\w+:-(.+)\}$/.exec(text)?.[1];
    if (fallback === undefined || name === "PUBLIC_BASE_URL") continue;
    expect(`${name} ${fallback}`).toBe(`${name} ${variables[name]?.fallback}`);
  }
});

test("migrations set each service's password to the one that the service has", () => {
  const { LEEWAY_ROLE_PASSWORDS: pairs = "" } = environmentOf("migrate");
  const passwords = pairs.split(",").map((pair) => pair.trim());
  expect(passwords.toSorted()).toEqual(
    SERVICES.map((name) => `${name}:${new URL(environmentOf(name)["DATABASE_URL"]!).password}`),
  );
});

test("every program that calls out trusts the configured CA file and mounts it read-only", async () => {
  const added = objectAt(await yamlFile("deploy/compose/authorities.yml"), "services");
  expect(Object.keys(added).toSorted()).toEqual(["migrate", "streams", ...SERVICES].toSorted());
  for (const name of Object.keys(added)) {
    const file = textsOf(objectAt(added, name, "environment"))["NODE_EXTRA_CA_CERTS"];
    expect(at(added, name, "volumes", 0)).toMatchObject({ type: "bind", target: file, read_only: true });
  }
});

test("a missing CA file is an error instead of an empty folder", async () => {
  const added = objectAt(await yamlFile("deploy/compose/authorities.yml"), "services");
  for (const name of Object.keys(added))
    expect(at(added, name, "volumes", 0, "bind", "create_host_path")).toBe(false);
});

test("every container has a size limit for its log", () => {
  const containers = { ...objectAt(MAIN, "services"), ...only(objectAt(CLUSTER, "services"), /^nats-/) };
  const unbounded = Object.keys(containers).filter((name) => {
    const { driver, options } = objectAt(containers, name, "logging");
    return driver !== "json-file" || at(options, "max-size") !== "50m" || at(options, "max-file") !== "5";
  });
  expect(Object.keys(containers)).toContain("nats-3");
  expect(unbounded).toEqual([]);
});

const KUBERNETES = "deploy/kubernetes";

/** Returns a container's memory limit in Kubernetes. The last of the files with a limit wins. */
async function limitIn(...files: string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => read(join(KUBERNETES, file))));
  const limits = texts.map((text) => /limits(?:: \{ memory:|\/memory, value:) (\w+)/.exec(text)?.[1]);
  return limits.findLast((limit) => limit !== undefined) ?? "";
}

test("every container has a memory limit, the same as in Kubernetes", async () => {
  const containers = { ...objectAt(MAIN, "services"), ...only(objectAt(CLUSTER, "services"), /^nats-/) };
  const limits = Object.fromEntries(
    Object.keys(containers).map((name) => [
      name,
      interpolated(String(at(containers, name, "mem_limit"))).replace(/^(\d+)([mg])$/, (_, size, unit) =>
        unit === "g" ? `${size}Gi` : `${size}Mi`,
      ),
    ]),
  );
  for (const limit of Object.values(limits)) expect(limit).toMatch(/^\d+[GM]i$/);
  for (const service of SERVICES)
    expect(`${service} ${limits[service]}`).toBe(
      `${service} ${await limitIn("base/service/deployment.yaml", `base/${service}/kustomization.yaml`)}`,
    );
  const nats = await limitIn("overlays/production/nats.yaml");
  expect(limits).toMatchObject({
    nats,
    "nats-2": nats,
    "nats-3": nats,
    migrate: await limitIn("base/operator/deployment.yaml"),
    streams: await limitIn("base/streams/deployment.yaml"),
    postgres: await limitIn("overlays/local/postgres.yaml"),
  });
});

test("NATS' memory limit is below its container's everywhere", async () => {
  const nodes = Object.values(only(objectAt(CLUSTER, "services"), /^nats/));
  for (const node of [at(MAIN, "services", "nats"), ...nodes])
    expect(at(node, "environment", "GOMEMLIMIT")).toBe("900MiB");
  for (const overlay of ["local", "production"]) {
    const text = await read(join(KUBERNETES, `overlays/${overlay}/nats.yaml`));
    expect(text).toContain("{ name: GOMEMLIMIT, value: 900MiB }");
    expect(await limitIn(`overlays/${overlay}/nats.yaml`)).toBe("1Gi");
  }
});

test("PostgreSQL and NATS get a minute to write their data when they are stopped", () => {
  const containers = { ...objectAt(MAIN, "services"), ...only(objectAt(CLUSTER, "services"), /^nats-/) };
  for (const name of ["postgres", "nats", "nats-2", "nats-3"])
    expect(at(containers, name, "stop_grace_period")).toBe("1m");
});

test.each(["migrate", "streams"])("%s uses NATS as the operator, and no service does", (program) => {
  const { username, password } = new URL(environmentOf(program)["NATS_URL"]!);
  expect({ username, password }).toEqual({ username: "operator", password: made["OPERATOR_NATS_PASSWORD"]! });
  for (const service of SERVICES) expect(environmentOf(service)["NATS_URL"]).not.toContain(password);
});

test("NATS has the password of every service", () => {
  const nodes = ["nats", "nats-2", "nats-3"].map((name) =>
    objectAt(CLUSTER, "services", name, "environment"),
  );
  for (const node of [objectAt(MAIN, "services", "nats", "environment"), ...nodes]) {
    for (const service of SERVICES) {
      const { username, password } = new URL(environmentOf(service)["NATS_URL"]!);
      expect(username).toBe(service);
      expect(interpolated(textsOf(node)[`${service.toUpperCase()}_NATS_PASSWORD`] ?? "")).toBe(password);
    }
  }
});

test(".env.example has exactly the variables that the compose files use", async () => {
  const files = ["docker-compose.yml", "deploy/compose/nats-cluster.yml", "deploy/compose/authorities.yml"];
  const text = (await Promise.all(files.map(read))).join("\n");
  const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
  asked.add("LEEWAY_MASTER_KEYS"); // make-env.sh derives the services' keys from it
  expect(Object.keys(EXAMPLE).toSorted()).toEqual([...asked].toSorted());
});

test(".env.example states the defaults of compose, and leaves images to compose", async () => {
  const text = await read("docker-compose.yml");
  for (const [, name = "", fallback = ""] of text.matchAll(/\$\{(\w+):-([^}]*)\}/g)) {
    const isImage = name === "BASE" || name === "RUNTIME" || name.endsWith("_IMAGE");
    expect(`${name}=${EXAMPLE[name]}`).toBe(`${name}=${isImage ? "" : fallback}`);
  }
});

test(".env is private to its owner, has its own secrets and is never overwritten", async () => {
  const path = join(folder, ".env");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const before = await Bun.file(path).text();
  const secrets = Object.entries(made).filter(([name]) => /_PASSWORD$|_KEYS$|OPERATOR_TOKEN/.test(name));
  expect(secrets.filter(([, value]) => value.length < 32)).toEqual([]);
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
  await shell("deploy/compose/make-env.sh", [path]);
  expect(await Bun.file(path).text()).toBe(before);
});

test("make-env.sh derives each service's keys from the operator's, and again after a change", async () => {
  const path = join(folder, "changed.env");
  await shell("deploy/compose/make-env.sh", [path]);
  const key = `k2:${Buffer.alloc(32, 5).toString("base64")}`;
  const first = await Bun.file(path).text();
  await Bun.write(path, first.replace("LEEWAY_MASTER_KEYS=", `LEEWAY_MASTER_KEYS=${key},`));
  await shell("deploy/compose/make-env.sh", [path]);
  const now = environment(await Bun.file(path).text());
  const root = parseKeyRing(now["LEEWAY_MASTER_KEYS"] ?? "");
  expect(root.all).toHaveLength(2);
  for (const service of SERVICES) {
    expect(now[`${service.toUpperCase()}_MASTER_KEYS`]).toBe(serviceKeys(root, service));
    expect(now[`${service.toUpperCase()}_BUS_KEYS`]).toBe(busKeys(root, service, SERVICES));
  }
});

test("an .env without service keys keeps the operator's key as a fallback once", async () => {
  const path = join(folder, "old.env");
  const key = `k1:${Buffer.alloc(32, 6).toString("base64")}`;
  await Bun.write(path, `LEEWAY_MASTER_KEYS=${key}\nPORT=8080\n`);
  await shell("deploy/compose/make-env.sh", [path]);
  const upgraded = environment(await Bun.file(path).text());
  expect(upgraded["QUOTA_MASTER_KEYS"]).toBe(`${serviceKeys(parseKeyRing(key), "quota")},${key}`);
  await shell("deploy/compose/make-env.sh", [path]);
  const { QUOTA_MASTER_KEYS: own, PORT } = environment(await Bun.file(path).text());
  expect({ own, PORT }).toEqual({ own: serviceKeys(parseKeyRing(key), "quota"), PORT: "8080" });
});

test("make-env.sh makes mounted files readable for containers in a private checkout", async () => {
  const copy = join(folder, "checkout");
  await $`mkdir ${copy} && cp -r deploy .env.example ${copy}`.cwd(ROOT);
  await $`chmod -R go-rwx ${copy}`;
  await shell(join(copy, "deploy/compose/make-env.sh"));
  const given = JSON.stringify(MAIN).match(/(?<="\.\/)[^:]+(?=:[^"]+:ro")/g) ?? [];
  expect(given).toContain("deploy/nats");
  const closed = await $`find ${given} ! -perm -o=r -o -type d ! -perm -o=x`.cwd(copy).text();
  expect(closed).toBe("");
  expect((await stat(join(copy, ".env"))).mode & 0o777).toBe(0o600);
});

test.each(SERVICES)("%s waits for its dependencies and has no capabilities or writable files", (service) => {
  const { depends_on, read_only, cap_drop, security_opt } = objectAt(MAIN, "services", service);
  expect({ depends_on, read_only, cap_drop, security_opt }).toEqual({
    depends_on: {
      migrate: { condition: "service_completed_successfully" },
      postgres: { condition: "service_healthy" },
      nats: { condition: "service_healthy" },
    },
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
});

test.each(SERVICES)("the image of %s is built from the shared Dockerfile under its name", (service) => {
  expect(at(MAIN, "services", service, "image")).toBe(`leeway/${service}:\${LEEWAY_VERSION:-local}`);
  expect(at(MAIN, "services", service, "build", "args", "SERVICE")).toBe(service);
});

test("only the gateway and web interfaces have ports, on the local machine only", () => {
  const services = objectAt(MAIN, "services");
  const open = Object.keys(services).filter((name) => at(services, name, "ports") !== undefined);
  expect(open.toSorted()).toEqual(["dex", "gateway", "grafana", "jaeger", "prometheus"]);
  for (const name of open) {
    expect(interpolated(String(at(services, name, "ports", 0)))).toStartWith("127.0.0.1:");
  }
});

test("optional services are in a profile", () => {
  const services = objectAt(MAIN, "services");
  const plain = Object.keys(services).filter((name) => at(services, name, "profiles") === undefined);
  expect(plain.toSorted()).toEqual([...SERVICES, "migrate", "nats", "postgres", "streams"].toSorted());
});

test("with three NATS nodes every program knows all of them, and streams have three replicas", () => {
  for (const name of ["migrate", "streams"])
    expect(textsOf(objectAt(CLUSTER, "services", name, "environment"))["NATS_REPLICAS"]).toBe("3");
  for (const name of [...SERVICES, "migrate", "streams"]) {
    const given = textsOf(objectAt(CLUSTER, "services", name, "environment"));
    expect(given["NATS_URL"]).toStartWith(`nats://${SERVICES.includes(name) ? name : "operator"}:`);
    expect(given["NATS_URL"]?.match(/nats(-\d)?:4222/g)).toEqual(["nats:4222", "nats-2:4222", "nats-3:4222"]);
  }
});

test.each([
  "deploy/nats/nats-server.conf",
  "deploy/nats/cluster.conf",
  "deploy/kubernetes/overlays/local/nats-server.conf",
  "deploy/kubernetes/overlays/production/nats-server.conf",
])("%s accepts webhook bodies of 5 MB, persists streams and requires passwords", async (path) => {
  const text = await read(path);
  expect(text).toContain("max_payload: 8MB");
  expect(text).toContain('jetstream { store_dir: "/data" }');
  expect(text).toContain('authorization { include "users.conf" }');
});
