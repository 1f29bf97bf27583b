import { describe, expect, test } from "bun:test";

import { loadConfig } from "@leeway/shared/config";
import { isObject, type JsonObject, text } from "@leeway/shared/json";
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

/** The settings that the base gives a service. */
async function settingsOf(service: string): Promise<Record<string, string>> {
  const { configMapGenerator } = await yamlFile(`${FOLDER}/base/${service}/kustomization.yaml`);
  return settingsIn(at(configMapGenerator, 0));
}

/** The settings that production gives a service: the base's, and its own in their place. */
async function productionSettingsOf(service: string): Promise<Record<string, string>> {
  const { configMapGenerator } = await yamlFile(`${FOLDER}/overlays/production/kustomization.yaml`);
  const generators = Array.isArray(configMapGenerator) ? configMapGenerator : [];
  const own = generators.find((generator) => at(generator, "name") === `settings-${service}`);
  return { ...(await settingsOf(service)), ...settingsIn(own) };
}

/** The `NAME=value` literals of a generator. */
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

test.each(OBJECTS)("%s holds objects that Kubernetes' schemas take", async (path) => {
  const objects = yamlObjects(await read(path));
  expect(objects).not.toEqual([]);
  for (const object of objects) validate(object);
});

test("the schemas refuse what isn't right", () => {
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: { selector: "all" } };
  expect(() => validate(budget)).toThrow();
  expect(() => validate({ apiVersion: "v2", kind: "Thing" })).toThrow('no schema for "v2" "Thing"');
});

test("every service is in the base, made of the one pattern", async () => {
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

test("the pattern has an object of each kind that a service needs", async () => {
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

test("why migrations failed can be read for a day, as the runbook says", async () => {
  const job = await yamlFile(`${FOLDER}/base/migrate/job.yaml`);
  expect(at(job, "spec", "ttlSecondsAfterFinished")).toBe(24 * 60 * 60);
  expect(at(job, "spec", "template", "spec", "restartPolicy")).toBe("Never");
  expect(await read("docs/operations.md")).toContain(
    "`kubectl -n leeway logs job/leeway-migrate`, which is kept for a day",
  );
});

test("nothing in the pattern chooses everybody's pods: each selector is there to get its service's name", async () => {
  const files = OBJECTS.filter((path) => path.includes("/base/service/"));
  for (const object of await Promise.all(files.map(yamlFile))) {
    for (const name of ["selector", "podSelector"]) {
      const chosen = JSON.stringify(at(object, "spec", name));
      expect(`${text(object, "kind")} ${chosen}`).not.toEndWith(" {}");
    }
  }
});

test.each(SERVICES)(
  "%s gets every variable that it reads from its settings or its secret",
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

test.each(SERVICES)("what %s must keep to itself is in no settings", async (service) => {
  const names = Object.keys(await settingsOf(service));
  expect(names.filter((name) => /_KEYS?$|TOKEN|PASSWORD|DATABASE_URL|NATS_URL/.test(name))).toEqual([]);
});

test.each(SERVICES)("the port of %s is the one that its settings say", async (service) => {
  const settings = await settingsOf(service);
  const variables = await variablesOf(service);
  const name = "PORT" in variables ? "PORT" : "HEALTH_PORT";
  expect(settings[name]).toBe(variables[name]?.fallback);
  const pattern = await yamlFile(`${FOLDER}/base/service/deployment.yaml`);
  const usual = at(pattern, "spec", "template", "spec", "containers", 0, "ports", 0, "containerPort");
  const own = await read(`${FOLDER}/base/${service}/kustomization.yaml`);
  const patched = /containerPort, value: (\d+)/.exec(own)?.[1];
  expect(String(patched ?? usual)).toBe(settings[name]!);
});

test.each(SERVICES)(
  "%s reaches the internet only if it calls addresses that somebody else chose",
  async (service) => {
    const { components } = await yamlFile(`${FOLDER}/base/${service}/kustomization.yaml`);
    const callsOut = "EGRESS_ALLOW" in (await variablesOf(service));
    expect(components).toEqual(callsOut ? ["../outbound"] : undefined);
  },
);

test("migrations set the passwords that the services have, and every deployment's secret exists", async () => {
  const { LEEWAY_ROLE_PASSWORDS: pairs = "" } = secretOf("leeway-migrate");
  expect(pairs.split(",").toSorted()).toEqual(
    SERVICES.map((name) => `${name}:${new URL(secretOf(`leeway-${name}`)["DATABASE_URL"] ?? "").password}`),
  );
  const texts = (await Promise.all(FILES.map(read))).join("\n");
  const named = [...texts.matchAll(/secret(?:Key)?Ref: \{ name: ([\w-]+)/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].toSorted()).toEqual(SECRETS.map(nameOf).toSorted());
});

test("NATS knows the password of every service, and it is the one that the service has", () => {
  for (const service of SERVICES) {
    const { username, password } = new URL(secretOf(`leeway-${service}`)["NATS_URL"] ?? "");
    expect(username).toBe(service);
    expect(secretOf("leeway-nats")[`${service.toUpperCase()}_NATS_PASSWORD`]).toBe(password);
  }
});

test("secrets name the database and the nodes that they were asked for", async () => {
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

test("in production every service keeps three copies of its streams, and its image has a version", async () => {
  const { images } = await yamlFile(`${FOLDER}/overlays/production/kustomization.yaml`);
  for (const service of SERVICES) {
    expect((await productionSettingsOf(service))["NATS_REPLICAS"]).toBe("3");
    expect(images).toContainEqual({
      name: `leeway/${service}`,
      newName: `registry.example.com/leeway/${service}`,
      newTag: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  }
});

test("in production the address that a service gives of itself is the ingress', whichever service it is", async () => {
  const host = at(await yamlFile(`${FOLDER}/overlays/production/ingress.yaml`), "spec", "rules", 0, "host");
  const settings = await Promise.all(SERVICES.map(productionSettingsOf));
  const named = settings.flatMap(({ PUBLIC_BASE_URL: url }) => url ?? []);
  expect(named.length).toBeGreaterThan(1);
  expect([...new Set(named)]).toEqual([`https://${String(host)}`]);
});

test("the connections that the sizing page asks of PostgreSQL are those that production's processes may hold", async () => {
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
    each: 10,
    enough: true,
    less: true,
  });
});

test("the PostgreSQL of the local overlay has as much shared memory as that of compose", async () => {
  const [, server] = yamlObjects(await read(`${FOLDER}/overlays/local/postgres.yaml`));
  const pod = objectAt(server, "spec", "template", "spec");
  expect(at(pod, "containers", 0, "volumeMounts")).toContainEqual({ name: "shm", mountPath: "/dev/shm" });
  expect(at(pod, "volumes")).toContainEqual({
    name: "shm",
    emptyDir: { medium: "Memory", sizeLimit: "256Mi" },
  });
  expect(at(await yamlFile("docker-compose.yml"), "services", "postgres", "shm_size")).toBe("256mb");
});

test("the operator has what backups, a change of the master key and dead letters take", async () => {
  const deployment = await yamlFile(`${FOLDER}/base/operator/deployment.yaml`);
  const sources = at(deployment, "spec", "template", "spec", "containers", 0, "envFrom");
  const secrets = (Array.isArray(sources) ? sources : []).map((source) => at(source, "secretRef", "name"));
  const given = Object.assign({}, ...secrets.map((name) => secretOf(String(name))));
  expect(given).toMatchObject({
    DATABASE_URL: secretOf("leeway-migrate")["DATABASE_URL"],
    LEEWAY_MASTER_KEYS: secretOf("leeway-gateway")["LEEWAY_MASTER_KEYS"],
    NATS_URL: expect.stringMatching(/^nats:\/\/operator:/),
  });
});

/** The ports that a network policy lets its pods call. */
function portsOut(policy: JsonObject): unknown[] {
  const rules = at(policy, "spec", "egress");
  return (Array.isArray(rules) ? rules : []).flatMap((rule) => {
    const ports = at(rule, "ports");
    return Array.isArray(ports) ? ports.map((port) => at(port, "port")) : [];
  });
}

/** What kubectl makes of a folder; nothing where there is no kubectl. */
function kustomized(folder: string): { stdout: string; stderr: string; exitCode: number } {
  if (!hasKubectl) return { stdout: "", stderr: "", exitCode: 1 };
  const { stdout, stderr, exitCode } = Bun.spawnSync(["kubectl", "kustomize", join(ROOT, FOLDER, folder)]);
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
}

const hasKubectl = Bun.which("kubectl") !== null;
describe.skipIf(!hasKubectl).each(["base", "overlays/local", "overlays/production"])(
  `${hasKubectl ? "" : "(skipped: no kubectl here) "}%s, as kubectl makes it`,
  (folder) => {
    const { stdout, stderr, exitCode } = kustomized(folder);
    const objects = yamlObjects(stdout);
    const ofKind = (kind: string): JsonObject[] => objects.filter((object) => object["kind"] === kind);

    test("is made without a warning, of objects that Kubernetes' schemas take", () => {
      expect({ exitCode, said: stderr }).toEqual({ exitCode: 0, said: "" });
      expect(objects.length).toBeGreaterThan(30);
      for (const object of objects) validate(object);
    });

    test("gives every service the same objects, all of which choose its pods alone", () => {
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

    test("runs nothing as root, with a right, a token, or a file system to write", () => {
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

    test("keeps the gateway's pods in service while another service is away", () => {
      const gateway = ofKind("Deployment").find((deployment) => nameOf(deployment) === "leeway-gateway");
      const container = objectAt(gateway, "spec", "template", "spec", "containers", 0);
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
        expect(at(container, probe, "httpGet")).toEqual({ path: "/healthz", port: "http" });
    });

    test("lets services, migrations and the operator to PostgreSQL, and nobody else", () => {
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

    test("lets whoever asks for names ask the cluster's name server and the one on each node", () => {
      const asking = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(53));
      expect(asking.length).toBeGreaterThan(SERVICES.length);
      for (const policy of asking)
        expect(at(policy, "spec", "egress", 0, "to")).toEqual([
          { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } },
          { ipBlock: { cidr: "169.254.20.10/32" } },
        ]);
    });

    test("lets the webhooks alone to a mail server, where there is one", () => {
      const mailing = ofKind("NetworkPolicy").filter((policy) => portsOut(policy).includes(587));
      expect(mailing.map(nameOf)).toEqual(folder === "overlays/production" ? ["leeway-webhooks"] : []);
    });

    test("names no secret that make-secrets.sh doesn't make, and no settings that aren't there", () => {
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
