import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { DeclaredResource, ListedResource } from "../cloud.ts";
import { declaredIdentity, declares, liveKeys, ownerKeys } from "./keys.ts";
import { otherCatalog } from "./other-catalog.ts";

const UID = "0f9a3c52-1111-4222-8333-444455556666";

function live(provider_type: string, id: string, more: Partial<ListedResource> = {}): ListedResource {
  return { provider_resource_id: id, provider_type, complete: false, ...more };
}

function isMatched(resource: ListedResource, type: string, attributes: JsonObject): boolean {
  const keys = new Set<string>(liveKeys(resource, "Octo"));
  return declaredIdentity({ address: "a", type, attributes }).keys.some((key) => keys.has(key));
}

const DEPLOYMENT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: UID },
};

describe("a live resource and its declaration share a key", () => {
  test.each([
    [
      "a repository by its full name",
      live("github_repository", "octo/Site"),
      "github_repository",
      { id: "Site", full_name: "Octo/Site" },
    ],
    [
      "a repository by its name in the account",
      live("github_repository", "OCTO/site"),
      "github_repository",
      { id: "site" },
    ],
    [
      "a repository by its id",
      live("github:Repository", "42"),
      "github_repository",
      { id: "site", repo_id: 42 },
    ],
    [
      "a repository declared with Pulumi",
      live("github_repository", "octo/site"),
      "github:index/repository:Repository",
      { id: "renamed", fullName: "octo/site" },
    ],
    [
      "a branch, by its repository and owner",
      live("github_branch", "octo/Site:Main"),
      "github_branch",
      { id: "site:Main" },
    ],
    [
      "a member in another case",
      live("github_membership", "octo:Ada"),
      "github_membership",
      { id: "octo:ada" },
    ],
    [
      "a GitLab project by its path",
      live("gitlab_project", "Group/App"),
      "gitlab_project",
      { id: "7", path_with_namespace: "group/app" },
    ],
    ["a GitLab project by its id", live("gitlab_project", "7"), "gitlab_project", { id: "7" }],
    [
      "a deployment by namespace and name, in both versions of its type",
      live("kubernetes_deployment", "shop/web"),
      "kubernetes_deployment_v1",
      { id: "shop/web" },
    ],
    [
      "a deployment by kind and group",
      live("Deployment.apps", "shop/web"),
      "kubernetes_deployment",
      { id: "shop/web" },
    ],
    [
      "a deployment by version and kind",
      live("apps/v1/Deployment", "shop/web"),
      "kubernetes_deployment",
      { id: "shop/web" },
    ],
    [
      "a deployment by the uid in its Terraform metadata",
      live("Deployment.apps", UID),
      "kubernetes_deployment",
      { id: "other/name", metadata: [{ uid: UID }] },
    ],
    [
      "a deployment by the uid in its properties",
      live("Deployment", "web", { properties: DEPLOYMENT }),
      "kubernetes_deployment",
      { id: "x/y", metadata: [{ uid: UID }] },
    ],
    [
      "a manifest by its kind and name",
      live("kubernetes_deployment", "shop/web"),
      "kubernetes_manifest",
      { manifest: DEPLOYMENT },
    ],
    [
      "a manifest by the uid of its object",
      live("Deployment.apps", UID),
      "kubernetes_manifest",
      { object: { type: [], value: DEPLOYMENT } },
    ],
    [
      "a manifest of the kubectl provider",
      live("Deployment.apps", "shop/web"),
      "kubectl_manifest",
      { id: "/apis/apps/v1/x", api_version: "apps/v1", kind: "Deployment", name: "web", namespace: "shop" },
    ],
    [
      "an object declared with Pulumi",
      live("kubernetes_deployment", "shop/web"),
      "kubernetes:apps/v1:Deployment",
      { id: "shop/web", metadata: { name: "web", namespace: "shop" } },
    ],
    [
      "an object of the core group",
      live("v1/PodTemplate", "shop/t"),
      "kubernetes:core/v1:PodTemplate",
      { id: "shop/t" },
    ],
    [
      "a custom resource",
      live("cert-manager.io/v1/Certificate", "shop/tls"),
      "kubernetes_manifest",
      {
        manifest: {
          apiVersion: "cert-manager.io/v1",
          kind: "Certificate",
          metadata: { name: "tls", namespace: "shop" },
        },
      },
    ],
    [
      "a Helm release in its namespace",
      live("helm_release", "shop/redis"),
      "helm_release",
      { id: "redis", name: "redis", namespace: "shop" },
    ],
    [
      "a DNS record with its old type",
      live("cloudflare_dns_record", "372e67954025e0ba"),
      "cloudflare_record",
      { id: "372e67954025e0ba" },
    ],
    ["an unknown type", live("fastly_service_vcl", "7i6H"), "fastly_service_vcl", { id: "7i6H" }],
  ])("%s", (_, resource, type, attributes) => {
    expect(isMatched(resource, type, attributes)).toBeTrue();
  });
});

describe("a live resource and another declaration share no key", () => {
  test.each([
    ["another type with the same id", live("gitlab_group", "7"), "gitlab_project", { id: "7" }],
    ["a branch in another case", live("github_branch", "site:Main"), "github_branch", { id: "site:main" }],
    [
      "a node id in another case",
      live("github_branch_protection", "MDIwOkE="),
      "github_branch_protection",
      { id: "mdiwoke=" },
    ],
    [
      "a name in another namespace",
      live("kubernetes_deployment", "shop/web"),
      "kubernetes_deployment",
      { id: "test/web" },
    ],
    [
      "another kind of the same name",
      live("kubernetes_service", "shop/web"),
      "kubernetes_deployment",
      { id: "shop/web" },
    ],
    [
      "another owner's repository",
      live("github_repository", "acme/site"),
      "github_repository",
      { id: "blog", full_name: "octo/site" },
    ],
    ["a state without ids", live("github_team", "7"), "github_team", {}],
  ])("%s", (_, resource, type, attributes) => {
    expect(isMatched(resource, type, attributes)).toBeFalse();
  });
});

test("a controller owns its objects, and a parent id must be a uid", () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1", ownerReferences: [{ kind: "ReplicaSet", uid: UID }] },
  };
  expect(ownerKeys(live("v1/Pod", "shop/web-1", { properties: pod }))).toEqual([`2:${UID}`]);
  expect(ownerKeys(live("v1/Pod", "shop/web-1", { parent_id: UID }))).toEqual([`2:${UID}`]);
  expect(ownerKeys(live("v1/Pod", "shop/web-1", { parent_id: "shop/web" }))).toEqual([]);
});

test.each([
  ["github_repository", true],
  ["kubernetes:apps/v1:Deployment", true],
  ["azuredevops_project", true],
  ["random_id", true],
  ["aws_instance", false],
  ["awscc_s3_bucket", false],
  ["AWS::S3::Bucket", false],
  ["aws:s3/bucket:Bucket", false],
  ["aws-native:s3:Bucket", false],
  ["google_storage_bucket", false],
  ["gcp:storage/bucket:Bucket", false],
  ["azurerm_subnet", false],
  ["azure-native:network:Subnet", false],
  ["Microsoft.Network/virtualNetworks", false],
])("%s belongs to another provider: %p", (type, is) => {
  expect(declares(type)).toBe(is);
});

describe("the catalog of other providers", () => {
  const { entries } = otherCatalog;

  test("contains each type and each Terraform type once", () => {
    for (const names of [
      entries.map(({ type }) => type.toLowerCase()),
      entries.flatMap(({ terraform }) => terraform),
    ])
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each([
    [
      "stateful",
      ["kubernetes_persistent_volume_claim", "kubernetes_namespace", "github_repository", "gitlab_project"],
    ],
    ["container", ["cloudflare_zone", "gitlab_group"]],
    ["other", ["datadog_monitor", "github_team", "null_resource"]],
  ])("classifies the loss of a resource as %s", (loss, types) => {
    for (const type of types) expect([type, otherCatalog.byTerraform(type)?.loss]).toEqual([type, loss]);
  });

  test("doesn't list types that exist only in a state", () => {
    for (const type of [
      "random_id",
      "null_resource",
      "tls_private_key",
      "terraform_data",
      "time_sleep",
      "local_file",
    ])
      expect([type, otherCatalog.byTerraform(type)?.listed]).toEqual([type, false]);
  });
});

test("its functions accept any input", () => {
  const type = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...otherCatalog.entries.flatMap((entry) => [entry.type].concat(entry.terraform)),
      "constructor",
    ),
  );
  const object = fc
    .dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom("id", "metadata", "object", "manifest", "kind", "apiVersion", "__proto__"),
      ),
      fc.jsonValue(),
    )
    .map((value): Json => JSON.parse(JSON.stringify(value)))
    .filter((value): value is JsonObject => typeof value === "object");
  fc.assert(
    fc.property(type, fc.string(), object, fc.string(), (name, id, attributes, account) => {
      const declared: DeclaredResource = { address: "a", type: name, attributes: { id, ...attributes } };
      const resource = live(name, id, { properties: attributes, parent_id: id });
      for (const keys of [declaredIdentity(declared).keys, liveKeys(resource, account), ownerKeys(resource)])
        expect(keys).toEqual([...new Set(keys)].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0)));
    }),
  );
});
