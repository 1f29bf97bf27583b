import { expect, test } from "bun:test";
import { Glob } from "bun";

import { isObject, type JsonObject, text } from "@leeway/shared/values/json";
import { HEALTH_VARIABLE } from "@leeway/shared/service/service";

import { read, ROOT } from "../docs/repository.ts";
import { at, objectAt, SERVICES, variablesOf, yamlFile } from "./kit.ts";

const ALERTS = await yamlFile("deploy/prometheus/alerts.yml");
const PROMETHEUS = await yamlFile("deploy/prometheus/prometheus.yml");
const DASHBOARD: unknown = JSON.parse(await read("deploy/grafana/dashboards/leeway.json"));
const METRICS = await metricsOfCode();

/** Returns every metric that the code produces, with its labels. */
async function metricsOfCode(): Promise<Map<string, string[]>> {
  const sources = [...new Glob("{packages,services}/*/src/**/*.ts").scanSync(ROOT)];
  const code = (await Promise.all(sources.filter((path) => !path.includes(".test.")).map(read))).join("\n");
  const made = [...code.matchAll(/(counter|gauge|durations)\(\s*"(\w+)",\s*"[^"]*",\s*\[([^\]]*)\]/g)];
  const own = made.flatMap(([, kind, name = "", labels = ""]) => {
    const words = [...labels.matchAll(/"(\w+)"/g)].map(([, label = ""]) => label);
    const names = kind === "durations" ? ["_bucket", "_count", "_sum"] : [""];
    return names.map((end): [string, string[]] => [`leeway_${name}${end}`, [...words, "le"]]);
  });
  const [, process = ""] = /PROCESS_METRICS = \[([^\]]*)\]/.exec(code) ?? [];
  const processes = [...process.matchAll(/"(\w+)"/g)].map(([, name = ""]): [string, string[]] => [name, []]);
  return new Map([...own, ...processes, ["up", []]]);
}

const rules = (): JsonObject[] => {
  const found = at(ALERTS, "groups", 0, "rules");
  return Array.isArray(found) ? found.filter(isObject) : [];
};

const expressions = (): string[] => {
  const panels = at(DASHBOARD, "panels");
  const targets = Array.isArray(panels) ? panels.flatMap((panel) => at(panel, "targets")) : [];
  return [
    ...rules().map((rule) => text(rule, "expr") ?? ""),
    ...targets.map((target) => String(at(target, "expr"))),
  ];
};

test("every metric in an alert or a dashboard exists in the code", () => {
  const named = expressions().flatMap(
    (expression) => expression.match(/\b(?:leeway|process)_\w+|\bup\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !METRICS.has(name))).toEqual([]);
});

test("every metric of the code is on the dashboard", () => {
  const shown = JSON.stringify(DASHBOARD);
  const families = [...METRICS.keys()].filter((name) => !/_(count|sum)$/.test(name) && name !== "up");
  expect(families.filter((name) => !shown.includes(name))).toEqual([]);
});

test("every label in a filter or a sum exists on its metric", () => {
  const always = ["service", "instance", "job"];
  for (const expression of expressions()) {
    const names = expression.match(/\b(?:leeway|process)_\w+|\bup\b/g) ?? [];
    const labels = new Set([...always, ...names.flatMap((name) => METRICS.get(name) ?? [])]);
    const chosen = [...expression.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = ""]) => label);
    const summed = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
    expect([...chosen, ...summed].filter((label) => !labels.has(label))).toEqual([]);
  }
});

test.each(rules().map((rule): [string, JsonObject] => [text(rule, "alert") ?? "", rule]))(
  "the runbook has a section with actions for the alert %s",
  async (name, rule) => {
    expect(objectAt(rule, "annotations")["runbook_url"]).toBe(`docs/operations.md#${name.toLowerCase()}`);
    expect(await read("docs/operations.md")).toContain(`\n### ${name}\n`);
  },
);

test("the runbook has no section for an unknown alert", async () => {
  const chapters = [...(await read("docs/operations.md")).matchAll(/^### (Leeway\w+)$/gm)];
  expect(chapters.map(([, name = ""]) => name)).toEqual(rules().map((rule) => text(rule, "alert") ?? ""));
});

test("Prometheus uses the job name that alerts and panels select, in Kubernetes too", async () => {
  const jobs = expressions().flatMap((expression) => [...expression.matchAll(/job="([^"]*)"/g)]);
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  for (const config of [PROMETHEUS, kubernetes])
    expect(new Set(jobs.map(([, job]) => job))).toEqual(
      new Set([String(at(config, "scrape_configs", 0, "job_name"))]),
    );
});

test("alerts and panels on shared metrics select only Leeway's", () => {
  const shared = expressions().flatMap(
    (expression) => expression.match(/\b(?:process_\w+|up)\b[^}]*/g) ?? [],
  );
  expect(shared.length).toBeGreaterThan(5);
  expect(shared.filter((chosen) => !chosen.includes('{job="leeway"'))).toEqual([]);
});

test("health probes don't count as requests", () => {
  const alert = rules().find((rule) => text(rule, "alert") === "LeewayRequestsFail");
  const chosen = text(alert ?? {}, "expr")?.match(/\{[^}]*\}/g) ?? [];
  expect(chosen).toHaveLength(2);
  expect(chosen.filter((one) => !one.includes('route!~"/(healthz|readyz|metrics)"'))).toEqual([]);
});

test("a process that just started doesn't raise the stalled-events alert", () => {
  const alert = rules().find((rule) => text(rule, "alert") === "LeewayEventsStalled");
  const [, window] =
    /min_over_time\(leeway_events_waiting\[(\w+)\]\)/.exec(text(alert ?? {}, "expr") ?? "") ?? [];
  expect(window).toBeString();
  expect(text(alert ?? {}, "expr")).toContain(`) and leeway_events_waiting offset ${window})`);
});

test("probes and long polls don't count as slow requests", () => {
  const alert = rules().find((rule) => text(rule, "alert") === "LeewayRequestsSlow");
  const [, left = ""] = /route!~"([^"]*)"/.exec(text(alert ?? {}, "expr") ?? "") ?? [];
  const counts = (route: string): boolean => !new RegExp(`^(?:${left})$`).test(route);
  const routes = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v2/orgs/:id/llm-jobs/:job_id",
    "/api/v2/orgs/:id/posture",
  ];
  expect(routes.filter(counts)).toEqual(["/api/v2/orgs/:id/posture"]);
});

test("evicted or finished Kubernetes pods don't count as down", async () => {
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  expect(at(kubernetes, "scrape_configs", 0, "relabel_configs")).toContainEqual({
    source_labels: ["__meta_kubernetes_pod_phase"],
    regex: "Succeeded|Failed",
    action: "drop",
  });
});

test.each(["service", "streams"])("Prometheus in Kubernetes keeps each pod of %s once", async (folder) => {
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  const pattern = await yamlFile(`deploy/kubernetes/base/${folder}/deployment.yaml`);
  const { labels } = objectAt(pattern, "spec", "template", "metadata");
  const port = at(pattern, "spec", "template", "spec", "containers", 0, "ports", 0, "name");
  const kept = new RegExp(
    `^(?:${String(at(kubernetes, "scrape_configs", 0, "relabel_configs", 0, "regex"))})$`,
  );
  const component = String(at(labels, "app.kubernetes.io/component"));
  expect(`${component};${String(port)}`).toMatch(kept);
  expect(`${component};http`).not.toMatch(kept);
});

test("Prometheus scrapes every service and the process that keeps streams, at its port", async () => {
  const asked = at(PROMETHEUS, "scrape_configs", 0, "dns_sd_configs");
  const ports = Array.isArray(asked)
    ? asked.flatMap((entry) => {
        const names = at(entry, "names");
        return Array.isArray(names) ? names.map((name) => [String(name), String(at(entry, "port"))]) : [];
      })
    : [];
  const expected = await Promise.all(
    SERVICES.map(async (service) => {
      const variables = await variablesOf(service);
      return [service, variables["HEALTH_PORT"]?.fallback];
    }),
  );
  expected.push(["streams", HEALTH_VARIABLE.HEALTH_PORT.fallback]);
  expect(Object.fromEntries(ports)).toEqual(Object.fromEntries(expected));
});
