import { expect, test } from "bun:test";

import { PushListing } from "@leeway/shared/contracts/inventory/scans";
import { PushState } from "@leeway/shared/contracts/inventory/sources";

import { LARGEST_DOCUMENT_BYTES } from "../../services/gateway/src/http/upload.ts";
import { read } from "../docs/repository.ts";
import { at, yamlFile } from "./kit.ts";

const INGRESS = await yamlFile("deploy/kubernetes/overlays/production/ingress.yaml");
const rules = at(INGRESS, "spec", "rules", 0, "http", "paths");
const RULES = (Array.isArray(rules) ? rules : []).map((rule: unknown) => ({
  path: String(at(rule, "path")),
  isExact: at(rule, "pathType") === "Exact",
}));

/** What NGINX is told. */
function told(name: string): unknown {
  return at(INGRESS, "metadata", "annotations", `nginx.ingress.kubernetes.io/${name}`);
}

function isLetIn(path: string): boolean {
  return RULES.some((rule) => path === rule.path || (!rule.isExact && path.startsWith(`${rule.path}/`)));
}

test("all that is documented is let in but what is the operator's", async () => {
  const { paths } = JSON.parse(await read("docs/openapi.json"));
  const kept = Object.keys(paths).filter((path) => !isLetIn(path));
  expect(kept.filter((path) => !path.startsWith("/operator/"))).toEqual(["/healthz", "/readyz", "/metrics"]);
  expect(kept.filter((path) => path.startsWith("/operator/"))).not.toEqual([]);
});

test("every page of the dashboard is let in, with what it loads", async () => {
  const router = await read("packages/dashboard/src/router.tsx");
  const pages = [...router.matchAll(/getParentRoute: \(\) => root, path: "([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(pages).toContain("/");
  expect([...pages, "/assets/index.js"].filter((path) => !isLetIn(path))).toEqual([]);
});

test("the largest body gets through, and what it leads to is waited for", () => {
  expect(told("proxy-body-size")).toBe(`${LARGEST_DOCUMENT_BYTES / 1024 ** 2}m`);
  for (const { timeoutMs } of [PushListing, PushState])
    expect(Number(told("proxy-read-timeout"))).toBeGreaterThan(timeoutMs / 1000);
});
