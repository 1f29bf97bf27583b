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

/** Returns an annotation of the NGINX ingress. */
function annotation(name: string): unknown {
  return at(INGRESS, "metadata", "annotations", `nginx.ingress.kubernetes.io/${name}`);
}

function isLetIn(path: string): boolean {
  return RULES.some((rule) => path === rule.path || (!rule.isExact && path.startsWith(`${rule.path}/`)));
}

test("every documented path is exposed except the operator's", async () => {
  const { paths } = JSON.parse(await read("docs/openapi.json"));
  const kept = Object.keys(paths).filter((path) => !isLetIn(path));
  expect(kept.filter((path) => !path.startsWith("/operator/"))).toEqual(["/healthz"]);
  expect(kept.filter((path) => path.startsWith("/operator/"))).not.toEqual([]);
});

test("every dashboard page and its assets are exposed", async () => {
  const routes = await read("packages/dashboard/src/routes.ts");
  const pages = [...routes.matchAll(/getParentRoute: \(\) => root,\s+path: "([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(pages).toContain("/");
  expect([...pages, "/assets/index.js"].filter((path) => !isLetIn(path))).toEqual([]);
});

test("the links in mails and the tools for language models are exposed", () => {
  expect(["/mail/confirm", "/mail/unsubscribe", "/mcp"].filter((path) => !isLetIn(path))).toEqual([]);
});

test("the largest body and the longest request are allowed", () => {
  expect(annotation("proxy-body-size")).toBe(`${LARGEST_DOCUMENT_BYTES / 1024 ** 2}m`);
  for (const { timeoutMs } of [PushListing, PushState])
    expect(Number(annotation("proxy-read-timeout"))).toBeGreaterThan(timeoutMs / 1000);
});
