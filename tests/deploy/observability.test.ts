import { expect, test } from "bun:test";

import { isObject, type JsonObject, text } from "@leeway/shared/json";
import { Glob } from "bun";

import { read, ROOT } from "../docs/repository.ts";
import { at, objectAt, SERVICES, variablesOf, yamlFile } from "./kit.ts";

const ALERTS = await yamlFile("deploy/prometheus/alerts.yml");
const PROMETHEUS = await yamlFile("deploy/prometheus/prometheus.yml");
const DASHBOARD: unknown = JSON.parse(await read("deploy/grafana/dashboards/leeway.json"));
const METRICS = await metricsOfCode();

/** Every series that our code can produce, with its labels. */
async function metricsOfCode(): Promise<Map<string, string[]>> {
  const sources = [...new Glob("{packages,services}/*/src/**/*.ts").scanSync(ROOT)];
  const code = (await Promise.all(sources.filter((path) => !path.includes(".test.")).map(read))).join("\n");
  const made = [...code.matchAll(/(counter|gauge|durations)\("(\w+)",\s*"[^"]*",\s*\[([^\]]*)\]/g)];
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

test("every metric that an alert or a dashboard names is one of the code's", () => {
  const named = expressions().flatMap(
    (expression) => expression.match(/\b(?:leeway|process)_\w+|\bup\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !METRICS.has(name))).toEqual([]);
});

test("every metric of our own is on the dashboard", () => {
  const shown = JSON.stringify(DASHBOARD);
  const families = [...METRICS.keys()].filter((name) => !/_(count|sum)$/.test(name) && name !== "up");
  expect(families.filter((name) => !shown.includes(name))).toEqual([]);
});

test("labels that are chosen or summed by are those of the metric", () => {
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
  "the alert %s has a chapter that says what to do",
  async (name, rule) => {
    expect(objectAt(rule, "annotations")["runbook_url"]).toBe(`docs/operations.md#${name.toLowerCase()}`);
    expect(await read("docs/operations.md")).toContain(`\n### ${name}\n`);
  },
);

test("the runbook has no chapter of an alert that isn't there", async () => {
  const chapters = [...(await read("docs/operations.md")).matchAll(/^### (Leeway\w+)$/gm)];
  expect(chapters.map(([, name = ""]) => name)).toEqual(rules().map((rule) => text(rule, "alert") ?? ""));
});

test("Prometheus knows all processes by the job that alerts and panels name, in Kubernetes too", async () => {
  const jobs = expressions().flatMap((expression) => [...expression.matchAll(/job="([^"]*)"/g)]);
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  for (const config of [PROMETHEUS, kubernetes])
    expect(new Set(jobs.map(([, job]) => job))).toEqual(
      new Set([String(at(config, "scrape_configs", 0, "job_name"))]),
    );
});

test("of metrics that others have too, an alert or a panel means ours alone", () => {
  const shared = expressions().flatMap(
    (expression) => expression.match(/\b(?:process_\w+|up)\b[^}]*/g) ?? [],
  );
  expect(shared.length).toBeGreaterThan(5);
  expect(shared.filter((chosen) => !chosen.includes('{job="leeway"'))).toEqual([]);
});

test("probes count neither as requests that fail nor as ones that don't", () => {
  const alert = rules().find((rule) => text(rule, "alert") === "LeewayRequestsFail");
  const chosen = text(alert ?? {}, "expr")?.match(/\{[^}]*\}/g) ?? [];
  expect(chosen).toHaveLength(2);
  expect(chosen.filter((one) => !one.includes('route!~"/(healthz|readyz|metrics)"'))).toEqual([]);
});

test("a process that has just begun, whose events take their time, isn't one that gets nothing done", () => {
  const alert = rules().find((rule) => text(rule, "alert") === "LeewayEventsStalled");
  const [, window] =
    /min_over_time\(leeway_events_waiting\[(\w+)\]\)/.exec(text(alert ?? {}, "expr") ?? "") ?? [];
  expect(window).toBeString();
  expect(text(alert ?? {}, "expr")).toContain(`) and leeway_events_waiting offset ${window})`);
});

test("a probe that waits for a service that hangs is no read that is slow", () => {
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

test("in Kubernetes a pod that was evicted or has ended isn't one that is down", async () => {
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  expect(at(kubernetes, "scrape_configs", 0, "relabel_configs")).toContainEqual({
    source_labels: ["__meta_kubernetes_pod_phase"],
    regex: "Succeeded|Failed",
    action: "drop",
  });
});

test("in Kubernetes Prometheus keeps the pods of services, each once", async () => {
  const kubernetes = await yamlFile("deploy/prometheus/kubernetes.yml");
  const pattern = await yamlFile("deploy/kubernetes/base/service/deployment.yaml");
  const { labels } = objectAt(pattern, "spec", "template", "metadata");
  const port = at(pattern, "spec", "template", "spec", "containers", 0, "ports", 0, "name");
  expect(at(kubernetes, "scrape_configs", 0, "relabel_configs", 0, "regex")).toBe(
    `${String(at(labels, "app.kubernetes.io/component"))};${String(port)}`,
  );
});

test("Prometheus asks every service, at its port", async () => {
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
      return [service, (variables["PORT"] ?? variables["HEALTH_PORT"])?.fallback];
    }),
  );
  expect(Object.fromEntries(ports)).toEqual(Object.fromEntries(expected));
});
