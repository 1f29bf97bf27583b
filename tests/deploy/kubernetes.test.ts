import { describe, expect, test } from "bun:test";

import { loadConfig } from "@leeway/shared/platform/config";
import { busKeys } from "@leeway/shared/security/encryption/bus-keys";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { serviceKeys } from "@leeway/shared/security/encryption/service-keys";
import { isObject, type JsonObject, text } from "@leeway/shared/values/json";
import { Glob } from "bun";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { at, objectAt, SERVICES, shell, textsOf, variablesOf, yamlFile, yamlObjects } from "./kit.ts";
import { validate } from "./schemas.ts";

const FOLDER = "deploy/kubernetes";
const FILES = [...new Glob(`${FOLDER}/**/*.yaml`).scanSync(ROOT)].toSorted();
const OBJECTS = FILES.filter((path) => !path.endsWith("kustomization.yaml"));
const BASE = await yamlFile(`${FOLDER}/base/kustomization.yaml`);
const SECRETS = yamlObjects(await shell(`${FOLDER}/make-secrets.sh`));

const nameOf = (object: JsonObject): string => String(at(object, "metadata", "name"));
const secretOf = (name: string): Record<string, string> =>
  textsOf(
    objectAt(
      SECRETS.find((secret) => nameOf(secret) === name),
      "stringData",
    ),
  );

/** Returns a service's settings in the base. */
async function settingsOf(service: string): Promise<Record<string, string>> {
  const { configMapGenerator } = await yamlFile(`${FOLDER}/base/${service}/kustomization.yaml`);
  return settingsIn(at(configMapGenerator, 0));
}

/** Returns a service's settings in production, where the overlay's values replace the base's. */
async function productionSettingsOf(service: string): Promise<Record<string, string>> {
  const { configMapGenerator } = await yamlFile(`${FOLDER}/overlays/production/kustomization.yaml`);
  const generators = Array.isArray(configMapGenerator) ? configMapGenerator : [];
  const own = generators.find((generator) => at(generator, "name") === `settings-${service}`);
  return { ...(await settingsOf(service)), ...settingsIn(own) };
}

/** Returns the `NAME=value` literals of a generator. */
function settingsIn(generator: unknown): Record<string, string> {
  const literals = at(generator, "literals");
  if (!Array.isArray(literals)) return {};
  return Object.fromEntries(
    literals.map((literal) => {
      const [name = "", ...value] = String(literal).split("=");
      return [name, value.join("=")];
    }),
  );
}

test.each(OBJECTS)("the objects in %s match Kubernetes' schemas", async (path) => {
  const objects = yamlObjects(await read(path));
  expect(objects).not.toEqual([]);
  for (const object of objects) validate(object);
});

test("the schemas refuse invalid objects", () => {
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: { selector: "all" } };
  expect(() => validate(budget)).toThrow();
  expect(() => validate({ apiVersion: "v2", kind: "Thing" })).toThrow('no schema for "v2" "Thing"');
});

test("every service is in the base and uses the shared template", async () => {
  expect(at(BASE, "resources")).toEqual(expect.arrayContaining(SERVICES));
  for (const service of SERVICES) {
    const { nameSuffix, resources, images } = await yamlFile(`${FOLDER}/base/${service}/kustomization.yaml`);
    expect({ nameSuffix, resources, images }).toEqual({
      nameSuffix: `-${service}`,
      resources: ["../service"],
      images: [{ name: "leeway/service", newName: `leeway/${service}` }],
    });
  }
});

test("the template has an object of each kind that a service needs", async () => {
  const files = OBJECTS.filter((path) => path.includes("/base/service/"));
  const kinds = (await Promise.all(files.map(yamlFile))).map((object) => text(object, "kind") ?? "");
  expect(kinds.toSorted()).toEqual([
    "Deployment",
    "HorizontalPodAutoscaler",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Service",
    "ServiceAccount",
  ]);
});

test("logs of failed migrations are kept for a day, as the runbook says", async () => {
  const job = await yamlFile(`${FOLDER}/base/migrate/job.yaml`);
  expect(at(job, "spec", "ttlSecondsAfterFinished")).toBe(24 * 60 * 60);
  expect(at(job, "spec", "template", "spec", "restartPolicy")).toBe("Never");
  expect(await read("docs/operations.md")).toContain(
    "`kubectl -n leeway logs job/leeway-migrate`, which is kept for a day",
  );
});

test("every selector in the template is specific, so that it can get the service's name", async () => {
  const files = OBJECTS.filter((path) => path.includes("/base/service/"));
  for (const object of await Promise.all(files.map(yamlFile))) {
    for (const name of ["selector", "podSelector"]) {
      const chosen = JSON.stringify(at(object, "spec", name));
      expect(`${text(object, "kind")} ${chosen}`).not.toEndWith(" {}");
    }
  }
});

test.each(SERVICES)(
  "settings and secrets of %s have exactly the variables that it reads",
  async (service) => {
    const settings = await settingsOf(service);
    const secret = secretOf(`leeway-${service}`);
    expect([...Object.keys(settings), ...Object.keys(secret)].toSorted()).toEqual(
      Object.keys(await variablesOf(service)).toSorted(),
    );
    const config = loadConfig(await variablesOf(service), { ...settings, ...secret });
    expect(config["DATABASE_URL"]).toStartWith(`postgres://leeway_${service}:`);
  },
);

test.each(SERVICES)("secrets of %s aren't in its settings", async (service) => {
  const names = Object.keys(await settingsOf(service));
  expect(names.filter((name) => /_KEYS?$|TOKEN|PASSWORD|DATABASE_URL|NATS_URL/.test(name))).toEqual([]);
});

test.each(SERVICES)("the port of %s matches its settings", async (service) => {
  const settings = await settingsOf(service);
  const variables = await variablesOf(service);
  const name = "PORT" in variables ? "PORT" : "HEALTH_PORT";
  expect(settings[name]).toBe(variables[name]?.fallback);
  const pattern = await yamlFile(`${FOLDER}/base/service/deployment.yaml`);
  const usual = at(pattern, "spec", "template", "spec", "containers", 0, "ports", 0, "containerPort");
  const own = await read(`${FOLDER}/base/${service}/kustomization.yaml`);
  const patched = /containerPort: (\d+)/.exec(own)?.[1];
  expect(String(patched ?? usual)).toBe(settings[name]!);
});

test.each(SERVICES)(
  "%s has internet access only if it calls addresses that others choose",
  async (service) => {
    const { components } = await yamlFile(`${FOLDER}/base/${service}/kustomization.yaml`);
    const callsOut = "EGRESS_ALLOW" in (await variablesOf(service));
    expect(components).toEqual(callsOut ? ["../outbound"] : undefined);
  },
);

test("migrations set the services' passwords, and the secret of every deployment exists", async () => {
  const { LEEWAY_ROLE_PASSWORDS: pairs = "" } = secretOf("leeway-migrate");
  expect(pairs.split(",").toSorted()).toEqual(
    SERVICES.map((name) => `${name}:${new URL(secretOf(`leeway-${name}`)["DATABASE_URL"] ?? "").password}`),
  );
  const texts = (await Promise.all(FILES.map(read))).join("\n");
  const named = [...texts.matchAll(/secret(?:Key)?Ref: \{ name: ([\w-]+)/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].toSorted()).toEqual(SECRETS.map(nameOf).toSorted());
});

test("NATS has the password of every service", () => {
  for (const service of SERVICES) {
    const { username, password } = new URL(secretOf(`leeway-${service}`)["NATS_URL"] ?? "");
    expect(username).toBe(service);
    expect(secretOf("leeway-nats")[`${service.toUpperCase()}_NATS_PASSWORD`]).toBe(password);
  }
});

test("secrets contain the given database and NATS nodes", async () => {
  const said = await shell(`${FOLDER}/make-secrets.sh`, [], {
    DATABASE: "db.example.com:5432/leeway?sslmode=verify-full",
    OWNER: "owner:word",
    NATS_NODES: "a:4222 b:4222",
  });
  const made = yamlObjects(said);
  const of = (name: string): JsonObject =>
    objectAt(
      made.find((secret) => nameOf(secret) === name),
      "stringData",
    );
  expect(of("leeway-migrate")["DATABASE_URL"]).toBe(
    "postgres://owner:word@db.example.com:5432/leeway?sslmode=verify-full",
  );
  expect(text(of("leeway-quota"), "NATS_URL")).toMatch(
    /^tls:\/\/quota:(\w+)@a:4222,tls:\/\/quota:\1@b:4222$/,
  );
});

test("production has three replicas of every stream, and images have a version", async () => {
  const { images, configMapGenerator } = await yamlFile(`${FOLDER}/overlays/production/kustomization.yaml`);
  expect(configMapGenerator).toContainEqual({
    name: "streams",
    behavior: "merge",
    literals: ["NATS_REPLICAS=3"],
  });
  for (const service of SERVICES) {
    expect(images).toContainEqual({
      name: `leeway/${service}`,
      newName: `registry.example.com/leeway/${service}`,
      newTag: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  }
});

test("production services use the ingress host as their public address", async () => {
  const host = at(await yamlFile(`${FOLDER}/overlays/production/ingress.yaml`), "spec", "rules", 0, "host");
  const settings = await Promise.all(SERVICES.map(productionSettingsOf));
  const named = settings.flatMap(({ PUBLIC_BASE_URL: url }) => url ?? []);
  expect(named.length).toBeGreaterThan(1);
  expect([...new Set(named)]).toEqual([`https://${String(host)}`]);
});

test("the sizing page's max_connections matches what production processes may open", async () => {
  const [, kinds = ""] =
    /const CONNECTIONS = \{(.*)\}/.exec(await read("packages/shared/src/database/database.ts")) ?? [];
  const each = [...kinds.matchAll(/\d+/g)].reduce((sum, [number]) => sum + Number(number), 0);
  const overlay = await read(`${FOLDER}/overlays/production/kustomization.yaml`);
  const [, most = ""] = /maxReplicas, value: (\d+)/.exec(overlay) ?? [];
  const pattern = await yamlFile(`${FOLDER}/base/service/deployment.yaml`);
  const surge = Number(at(pattern, "spec", "strategy", "rollingUpdate", "maxSurge"));
  const held = each * SERVICES.length * (Number(most) + surge);
  const [, asked = ""] = /`max_connections` of (\d+)/.exec(await read("docs/sizing.md")) ?? [];
  expect({ each, enough: Number(asked) > held, less: Number(asked) < 1.2 * held }).toEqual({
    each: 16,
    enough: true,
    less: true,
  });
});

test("PostgreSQL in the local overlay has as much shared memory as in compose", async () => {
  const [, server] = yamlObjects(await read(`${FOLDER}/overlays/local/postgres.yaml`));
  const pod = objectAt(server, "spec", "template", "spec");
  expect(at(pod, "containers", 0, "volumeMounts")).toContainEqual({ name: "shm", mountPath: "/dev/shm" });
  expect(at(pod, "volumes")).toContainEqual({
    name: "shm",
    emptyDir: { medium: "Memory", sizeLimit: "256Mi" },
  });
  expect(at(await yamlFile("docker-compose.yml"), "services", "postgres", "shm_size")).toBe("256mb");
});

test("the operator has the secrets for backups, key rotation and dead letters", async () => {
  const deployment = await yamlFile(`${FOLDER}/base/operator/deployment.yaml`);
  const sources = at(deployment, "spec", "template", "spec", "containers", 0, "envFrom");
  const secrets = (Array.isArray(sources) ? sources : []).map((source) => at(source, "secretRef", "name"));
  const given = Object.assign({}, ...secrets.map((name) => secretOf(String(name))));
  expect(given).toMatchObject({
    DATABASE_URL: secretOf("leeway-migrate")["DATABASE_URL"],
    NATS_URL: expect.stringMatching(/^nats:\/\/operator:/),
  });
  // Migrations create the streams, with the same login.
  for (const name of ["leeway-migrate", "leeway-streams"])
    expect(secretOf(name)["NATS_URL"]).toBe(secretOf("leeway-operator")["NATS_URL"]);
  const root = parseKeyRing(given["LEEWAY_MASTER_KEYS"]);
  for (const service of SERVICES) {
    expect(secretOf(`leeway-${service}`)["LEEWAY_MASTER_KEYS"]).toBe(serviceKeys(root, service));
    expect(secretOf(`leeway-${service}`)["LEEWAY_BUS_KEYS"]).toBe(busKeys(root, service, SERVICES));
  }
});

/** Returns the ports that a network policy lets its pods call. */
function portsOut(policy: JsonObject): unknown[] {
  const rules = at(policy, "spec", "egress");
  return (Array.isArray(rules) ? rules : []).flatMap((rule) => {
    const ports = at(rule, "ports");
    return Array.isArray(ports) ? ports.map((port) => at(port, "port")) : [];
  });
}

/** Runs `kubectl kustomize` on a folder. Returns empty output if kubectl isn't installed. */
function kustomized(folder: string): { stdout: string; stderr: string; exitCode: number } {
  if (!hasKubectl) return { stdout: "", stderr: "", exitCode: 1 };
  const { stdout, stderr, exitCode } = Bun.spawnSync(["kubectl", "kustomize", join(ROOT, FOLDER, folder)]);
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

const hasKubectl = Bun.which("kubectl") !== null;
describe.skipIf(!hasKubectl).each(["base", "overlays/local", "overlays/production"])(
  `${hasKubectl ? "" : "(skipped: no kubectl here) "}%s, rendered by kubectl`,
  (folder) => {
    const { stdout, stderr, exitCode } = kustomized(folder);
    const objects = yamlObjects(stdout);
    const ofKind = (kind: string): JsonObject[] => objects.filter((object) => object["kind"] === kind);

    test("is rendered without warnings and matches Kubernetes' schemas", () => {
      expect({ exitCode, said: stderr }).toEqual({ exitCode: 0, said: "" });
      expect(objects.length).toBeGreaterThan(30);
      for (const object of objects) validate(object);
    });

    test("gives every service the same objects with its own selectors", () => {
      for (const service of SERVICES) {
        const name = `leeway-${service}`;
        const own = objects.filter((object) => nameOf(object) === name);
        const chosen = own.flatMap((object) =>
          ["matchLabels", ""].flatMap((inner) => {
            const selector = objectAt(
              object,
              "spec",
              object["kind"] === "NetworkPolicy" ? "podSelector" : "selector",
            );
            const labels = inner === "" ? selector : selector[inner];
            return isObject(labels) && "app.kubernetes.io/name" in labels
              ? [labels["app.kubernetes.io/name"]]
              : [];
          }),
        );
        expect(own.map((object) => text(object, "kind") ?? "").toSorted()).toEqual([
          "Deployment",
          "HorizontalPodAutoscaler",
          "NetworkPolicy",
          "PodDisruptionBudget",
          "Service",
          "ServiceAccount",
        ]);
        expect(chosen).toEqual([service, service, service, service]);
        const scaler = own.find(({ kind }) => kind === "HorizontalPodAutoscaler");
        expect(at(scaler, "spec", "scaleTargetRef", "name")).toBe(name);
      }
    });

    test("runs nothing as root, with privileges, a token or a writable file system", () => {
      const workloads = ["Deployment", "StatefulSet", "Job"].flatMap(ofKind);
      for (const workload of workloads) {
        const pod = objectAt(workload, "spec", "template", "spec");
        expect(pod["automountServiceAccountToken"]).toBe(false);
        expect(at(pod, "securityContext", "runAsNonRoot")).toBe(true);
        expect(at(pod, "securityContext", "seccompProfile")).toEqual({ type: "RuntimeDefault" });
        expect(at(pod, "containers", 0, "securityContext")).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(at(pod, "containers", 0, "resources", "limits", "memory")).toBeString();
      }
    });

    test("keeps the gateway's pods ready during another service's outage", () => {
      const gateway = ofKind("Deployment").find((deployment) => nameOf(deployment) === "leeway-gateway");
      const container = objectAt(gateway, "spec", "template", "spec", "containers", 0);
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
        expect(at(container, probe, "httpGet")).toEqual({ path: "/healthz", port: "http" });
    });

    test("allows PostgreSQL only to services, migrations and the operator", () => {
      const reaching = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(5432));
      expect(reaching.map(nameOf).toSorted()).toEqual(
        folder === "base"
          ? []
          : [...SERVICES, "migrate", "operator"].map((name) => `leeway-${name}`).toSorted(),
      );
      const server = ofKind("NetworkPolicy").find((policy) => nameOf(policy) === "leeway-postgres");
      if (server)
        expect(at(server, "spec", "ingress", 0, "from", 0, "podSelector", "matchExpressions")).toEqual([
          { key: "app.kubernetes.io/component", operator: "In", values: ["service", "job", "operator"] },
        ]);
    });

    test("allows NATS only to services and the operator's programs", () => {
      const reaching = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(4222));
      expect(reaching.map(nameOf).toSorted()).toEqual(
        folder === "base"
          ? []
          : [...SERVICES, "migrate", "operator", "streams"].map((name) => `leeway-${name}`).toSorted(),
      );
      const server = ofKind("NetworkPolicy").find((policy) => nameOf(policy) === "leeway-nats");
      if (server)
        expect(at(server, "spec", "ingress", 0, "from", 0, "podSelector", "matchExpressions")).toEqual([
          {
            key: "app.kubernetes.io/component",
            operator: "In",
            values: ["service", "job", "operator", "streams"],
          },
        ]);
    });

    test("allows DNS only to the cluster's name server and the node's cache", () => {
      const asking = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(53));
      expect(asking.length).toBeGreaterThan(SERVICES.length);
      for (const policy of asking)
        expect(at(policy, "spec", "egress", 0, "to")).toEqual([
          { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } },
          { ipBlock: { cidr: "169.254.20.10/32" } },
        ]);
    });

    test("allows a mail server only to webhooks, in production", () => {
      const mailing = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(587));
      expect(mailing.map(nameOf)).toEqual(folder === "overlays/production" ? ["leeway-webhooks"] : []);
    });

    test("refers only to existing secrets and settings", () => {
      for (const workload of ofKind("Deployment")) {
        const sources = at(workload, "spec", "template", "spec", "containers", 0, "envFrom");
        const known = [...ofKind("ConfigMap"), ...SECRETS].map(nameOf);
        for (const source of Array.isArray(sources) ? sources : []) {
          expect(known).toContain(
            String(at(source, "configMapRef", "name") ?? at(source, "secretRef", "name")),
          );
        }
      }
    });
  },
);
