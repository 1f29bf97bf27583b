import { afterAll, beforeAll, expect, test } from "bun:test";

import { loadConfig } from "@leeway/shared/config";
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

/** A value as compose would hand it over, which names nothing that isn't set. */
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

test.each(SERVICES)("compose gives %s every variable that it reads, and no other", async (service) => {
  const given = Object.keys(objectAt(MAIN, "services", service, "environment"));
  expect(given.toSorted()).toEqual(Object.keys(await variablesOf(service)).toSorted());
});

test.each(SERVICES)("%s starts with a fresh .env: what it must have is set, and right", async (service) => {
  const config = loadConfig(await variablesOf(service), environmentOf(service));
  expect(config["DATABASE_URL"]).toStartWith(`postgres://leeway_${service}:p`);
});

test.each(SERVICES)("where compose has a default of its own for %s, it is the code's", async (service) => {
  const variables = await variablesOf(service);
  const texts = textsOf(objectAt(MAIN, "services", service, "environment"));
  for (const [name, text] of Object.entries(texts)) {
    const fallback = /^\$\{\w+:-(.+)\}$/.exec(text)?.[1];
    if (fallback === undefined || name === "PUBLIC_BASE_URL") continue;
    expect(`${name} ${fallback}`).toBe(`${name} ${variables[name]?.fallback}`);
  }
});

test("migrations set a password for every service's role, and it is the one that the service has", () => {
  const { LEEWAY_ROLE_PASSWORDS: pairs = "" } = environmentOf("migrate");
  const passwords = pairs.split(",").map((pair) => pair.trim());
  expect(passwords.toSorted()).toEqual(
    SERVICES.map((name) => `${name}:${new URL(environmentOf(name)["DATABASE_URL"]!).password}`),
  );
});

test("whoever calls out trusts the authorities that are named, and reads them where they are mounted", async () => {
  const added = objectAt(await yamlFile("deploy/compose/authorities.yml"), "services");
  expect(Object.keys(added).toSorted()).toEqual(["migrate", ...SERVICES].toSorted());
  for (const name of Object.keys(added)) {
    const file = textsOf(objectAt(added, name, "environment"))["NODE_EXTRA_CA_CERTS"];
    expect(at(added, name, "volumes", 0)).toMatchObject({ type: "bind", target: file, read_only: true });
  }
});

test("a file of authorities that isn't where .env says is told, and no empty folder stands in for it", async () => {
  const added = objectAt(await yamlFile("deploy/compose/authorities.yml"), "services");
  for (const name of Object.keys(added))
    expect(at(added, name, "volumes", 0, "bind", "create_host_path")).toBe(false);
});

test("what a container says fills no disk: its log is bounded, however long it runs", () => {
  const containers = { ...objectAt(MAIN, "services"), ...only(objectAt(CLUSTER, "services"), /^nats-/) };
  const unbounded = Object.keys(containers).filter((name) => {
    const { driver, options } = objectAt(containers, name, "logging");
    return driver !== "json-file" || at(options, "max-size") !== "50m" || at(options, "max-file") !== "5";
  });
  expect(Object.keys(containers)).toContain("nats-3");
  expect(unbounded).toEqual([]);
});

const KUBERNETES = "deploy/kubernetes";

/** What Kubernetes lets a container have, in the files in which it is looked for, the last first. */
async function limitIn(...files: string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => read(join(KUBERNETES, file))));
  const limits = texts.map((text) => /limits(?:: \{ memory:|\/memory, value:) (\w+)/.exec(text)?.[1]);
  return limits.findLast((limit) => limit !== undefined) ?? "";
}

test("no container takes the machine's memory from the others, and each has what it has in Kubernetes", async () => {
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
    postgres: await limitIn("overlays/local/postgres.yaml"),
  });
});

test("NATS gives memory back before it has what its container may have, everywhere", async () => {
  const nodes = Object.values(only(objectAt(CLUSTER, "services"), /^nats/));
  for (const node of [at(MAIN, "services", "nats"), ...nodes])
    expect(at(node, "environment", "GOMEMLIMIT")).toBe("900MiB");
  for (const overlay of ["local", "production"]) {
    const text = await read(join(KUBERNETES, `overlays/${overlay}/nats.yaml`));
    expect(text).toContain("{ name: GOMEMLIMIT, value: 900MiB }");
    expect(await limitIn(`overlays/${overlay}/nats.yaml`)).toBe("1Gi");
  }
});

test("PostgreSQL and NATS have a minute to write down what they have when they are stopped", () => {
  const containers = { ...objectAt(MAIN, "services"), ...only(objectAt(CLUSTER, "services"), /^nats-/) };
  for (const name of ["postgres", "nats", "nats-2", "nats-3"])
    expect(at(containers, name, "stop_grace_period")).toBe("1m");
});

test("NATS knows the password of every service, and it is the one that the service has", () => {
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

test(".env.example has every variable that the compose files ask for, and no other", async () => {
  const files = ["docker-compose.yml", "deploy/compose/nats-cluster.yml", "deploy/compose/authorities.yml"];
  const text = (await Promise.all(files.map(read))).join("\n");
  const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
  expect(Object.keys(EXAMPLE).toSorted()).toEqual([...asked].toSorted());
});

test(".env.example says what compose would take without it", async () => {
  const text = await read("docker-compose.yml");
  for (const [, name = "", fallback = ""] of text.matchAll(/\$\{(\w+):-([^}]*)\}/g)) {
    expect(`${name}=${fallback}`).toBe(`${name}=${EXAMPLE[name]}`);
  }
});

test(".env is for its owner's eyes, has secrets of its own, and is never made anew", async () => {
  const path = join(folder, ".env");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const before = await Bun.file(path).text();
  const secrets = Object.entries(made).filter(([name]) => /_PASSWORD$|_KEYS$|OPERATOR_TOKEN/.test(name));
  expect(secrets.filter(([, value]) => value.length < 32)).toEqual([]);
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
  await shell("deploy/compose/make-env.sh", [path]);
  expect(await Bun.file(path).text()).toBe(before);
});

test("in a checkout that its owner alone may read, make-env.sh lets containers read what they are given", async () => {
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

test.each(SERVICES)("%s waits for what it needs, and runs with no right and no file to write", (service) => {
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

test.each(SERVICES)("the image of %s is built from the one Dockerfile under its name", (service) => {
  expect(at(MAIN, "services", service, "image")).toBe(`leeway/${service}:\${LEEWAY_VERSION:-local}`);
  expect(at(MAIN, "services", service, "build", "args", "SERVICE")).toBe(service);
});

test("only the gateway and what people look at are reached from outside, from this machine alone", () => {
  const services = objectAt(MAIN, "services");
  const open = Object.keys(services).filter((name) => at(services, name, "ports") !== undefined);
  expect(open.toSorted()).toEqual(["dex", "gateway", "grafana", "jaeger", "prometheus"]);
  for (const name of open) {
    expect(interpolated(String(at(services, name, "ports", 0)))).toStartWith("127.0.0.1:");
  }
});

test("what isn't needed to run is in a profile", () => {
  const services = objectAt(MAIN, "services");
  const plain = Object.keys(services).filter((name) => at(services, name, "profiles") === undefined);
  expect(plain.toSorted()).toEqual([...SERVICES, "migrate", "nats", "postgres"].toSorted());
});

test("on three NATS nodes every service knows all of them and keeps three copies", () => {
  for (const service of SERVICES) {
    const given = textsOf(objectAt(CLUSTER, "services", service, "environment"));
    expect(given["NATS_REPLICAS"]).toBe("3");
    expect(given["NATS_URL"]).toStartWith(`nats://${service}:`);
    expect(given["NATS_URL"]?.match(/nats(-\d)?:4222/g)).toEqual(["nats:4222", "nats-2:4222", "nats-3:4222"]);
  }
});

test.each([
  "deploy/nats/nats-server.conf",
  "deploy/nats/cluster.conf",
  "deploy/kubernetes/overlays/local/nats-server.conf",
  "deploy/kubernetes/overlays/production/nats-server.conf",
])("%s takes webhook bodies of 5 MB, keeps streams, and lets nobody in without a password", async (path) => {
  const text = await read(path);
  expect(text).toContain("max_payload: 8MB");
  expect(text).toContain('jetstream { store_dir: "/data" }');
  expect(text).toContain('authorization { include "users.conf" }');
});
