import { generateKeyPairSync, verify } from "node:crypto";

import { text, type JsonObject } from "@leeway/shared/values/json";

import { Objects } from "../rest/objects.fixture.ts";
import { answer, pageOf, type Interference } from "../rest/rest.fixture.ts";
import {
  AUDIT_PERMISSION,
  gcpRole,
  LIST_PERMISSION,
  POLICY_PERMISSION,
  SEARCH_PERMISSION,
} from "./gcp-role.ts";

const EMAIL = "leeway@shop-prod.iam.gserviceaccount.com";
const AUDIENCE =
  "//iam.googleapis.com/projects/4711/locations/global/workloadIdentityPools/leeway/providers/leeway";
const PROJECT = "shop-prod";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = pair.privateKey.export({ type: "pkcs8", format: "pem" });

/** Returns the key file that Google issues; `changes` forges fields. */
export function keyFile(changes: JsonObject = {}): string {
  return JSON.stringify({
    type: "service_account",
    project_id: PROJECT,
    private_key_id: "b7f1",
    private_key: PEM,
    client_email: EMAIL,
    token_uri: "https://oauth2.googleapis.com/token",
    universe_domain: "googleapis.com",
    ...changes,
  });
}

const READ_PERMISSION = "storage.objects.get";

interface List {
  permission: string;
  rows: JsonObject[];
  key: string;
}

/** Google for tests of the connector: sign-in by key or federation, Cloud Asset Inventory, and objects. */
export class FakeGoogle {
  readonly email = EMAIL;
  readonly audience = AUDIENCE;
  readonly project = PROJECT;
  readonly subjectToken = "subject-token-canary";
  /** Decides whether a federated identity may sign in. */
  trusts = (token: string, audience: string): boolean | Promise<boolean> =>
    audience === AUDIENCE && token === this.subjectToken;
  assets: JsonObject[] = [...ASSETS];
  results: JsonObject[] = [...RESULTS];
  policies: JsonObject[] = [...POLICIES];
  /** Log entries, returned for every filter. */
  entries: JsonObject[] = [];
  /** Number of empty pages before the log entries. */
  emptyPages = 0;
  /** Filters of log requests. */
  readonly filters: string[] = [];
  readonly objects = new Objects();
  granted = new Set([...gcpRole.includedPermissions, READ_PERMISSION]);
  /** Permissions that calls required. */
  readonly used = new Set<string>();
  readonly tokens: string[] = [];
  readonly expired = new Set<string>();
  readonly requests: string[] = [];
  /** Content types that were listed, one per page. */
  readonly asked: string[] = [];
  maxRows = 2;
  interfere: Interference = () => undefined;
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    fetch: (one) => this.#respond(one),
  });

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  get endpoints(): Record<"token" | "sts" | "iamCredentials" | "cloudAsset" | "logging" | "storage", string> {
    const base = `http://${this.host}`;
    const apis = { sts: base, iamCredentials: base, cloudAsset: base, logging: base };
    return { token: `${base}/token`, ...apis, storage: `${base}/storage` };
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  #issue(): string {
    const token = `ya29.access-canary-${this.tokens.length}`;
    this.tokens.push(token);
    return token;
  }

  async #signIn(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const isSigned = verify(
      "RSA-SHA256",
      Buffer.from(`${head}.${claims}`),
      pair.publicKey,
      Buffer.from(signature, "base64url"),
    );
    const { iss, aud, scope } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const isRight =
      isSigned &&
      iss === EMAIL &&
      aud === "https://oauth2.googleapis.com/token" &&
      /cloud-platform/.test(scope);
    if (!isRight) return answer(400, { error: "invalid_grant", error_description: "Invalid JWT Signature." });
    return answer(200, { access_token: this.#issue(), expires_in: 3599, token_type: "Bearer" });
  }

  async #exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const isRight = await this.trusts(form.get("subject_token") ?? "", form.get("audience") ?? "");
    return isRight
      ? answer(200, { access_token: "federated-canary", expires_in: 3600, token_type: "Bearer" })
      : answer(400, { error: "invalid_grant", error_description: `bad ${this.subjectToken}` });
  }

  #impersonate(request: Request): Response {
    const isRight =
      request.headers.get("authorization") === "Bearer federated-canary" && request.url.includes(EMAIL);
    return isRight
      ? answer(200, {
          accessToken: this.#issue(),
          expireTime: new Date(Date.now() + 3_600_000).toISOString(),
        })
      : answer(403, { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } });
  }

  #refusal(request: Request, permission: string): Response | undefined {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (!this.tokens.includes(token) || this.expired.has(token))
      return answer(401, { error: { code: 401, status: "UNAUTHENTICATED", message: `bad ${token}` } });
    this.used.add(permission);
    if (this.granted.has(permission)) return undefined;
    return answer(403, { error: { code: 403, status: "PERMISSION_DENIED", message: "denied canary" } });
  }

  async #log(request: Request): Promise<Response> {
    const refusal = this.#refusal(request, AUDIT_PERMISSION);
    if (refusal) return refusal;
    const { resourceNames, filter, orderBy, pageToken } = Object(await request.json());
    if (String(resourceNames) !== `projects/${PROJECT}` || orderBy !== "timestamp desc")
      return answer(400, { error: { code: 400, status: "INVALID_ARGUMENT", message: "no" } });
    this.filters.push(String(filter));
    const page = Number(pageToken ?? 0);
    if (page < this.emptyPages) return answer(200, { nextPageToken: String(page + 1) });
    return answer(200, this.entries.length > 0 ? { entries: this.entries } : {});
  }

  #listAt(pathname: string, query: URLSearchParams): List | undefined {
    if (pathname === `/v1/projects/${PROJECT}:searchAllResources` && query.get("readMask") === "*")
      return { permission: SEARCH_PERMISSION, rows: this.results, key: "results" };
    if (pathname !== `/v1/projects/${PROJECT}/assets`) return undefined;
    const content = query.get("contentType") ?? "";
    this.asked.push(content);
    switch (content) {
      case "RESOURCE":
        return { permission: LIST_PERMISSION, rows: this.assets, key: "assets" };
      case "IAM_POLICY":
        return { permission: POLICY_PERMISSION, rows: this.policies, key: "assets" };
      default:
        return undefined;
    }
  }

  #inventory(request: Request, list: List): Response {
    const refusal = this.#refusal(request, list.permission);
    if (refusal) return refusal;
    const { searchParams } = new URL(request.url);
    const size = Math.min(Number(searchParams.get("pageSize")), this.maxRows);
    const { rows, next } = pageOf(list.rows, size, searchParams.get("pageToken"));
    // Google's JSON omits empty fields.
    return answer(200, {
      readTime: "2026-11-01T00:00:00Z",
      ...(rows.length > 0 && { [list.key]: rows }),
      ...(next !== undefined && { nextPageToken: next }),
    });
  }

  #object(request: Request, pathname: string): Response {
    const refusal = this.#refusal(request, READ_PERMISSION);
    return (
      refusal ?? this.objects.answer(request, decodeURIComponent(pathname.slice("/storage".length)), noObject)
    );
  }

  #signsIn(request: Request, pathname: string): Promise<Response> | Response | undefined {
    if (pathname === "/token") return this.#signIn(request);
    if (pathname === "/v1/token") return this.#exchange(request);
    return pathname.endsWith(":generateAccessToken") ? this.#impersonate(request) : undefined;
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    this.requests.push(pathname);
    const before = this.interfere(request) ?? this.#signsIn(request, pathname);
    if (before) return before;
    if (pathname === "/v2/entries:list") return this.#log(request);
    if (pathname.startsWith("/storage/")) return this.#object(request, pathname);
    const list = this.#listAt(pathname, searchParams);
    if (list) return this.#inventory(request, list);
    return answer(404, { error: { code: 404, status: "NOT_FOUND", message: pathname } });
  }
}

const noObject = (): Response => answer(404, { error: { code: 404, message: "no such object" } });

/** Rows of Cloud Asset Inventory: four buckets, an instance and a network. */
export const ASSETS: readonly JsonObject[] = [
  bucket("shop-images", "EUROPE-WEST1"),
  bucket("shop-logs", "EUROPE-WEST1"),
  bucket("shop-backup", "US-EAST1"),
  bucket("shop-archive", "EU"),
  {
    name: "//compute.googleapis.com/projects/shop-prod/zones/europe-west1-b/instances/web-1",
    assetType: "compute.googleapis.com/Instance",
    resource: {
      version: "v1",
      parent: "//cloudresourcemanager.googleapis.com/projects/4711",
      location: "europe-west1-b",
      data: { id: "815", name: "web-1", machineType: "e2-small", labels: { team: "web" } },
    },
    ancestors: ["projects/4711"],
  },
  {
    name: "//compute.googleapis.com/projects/shop-prod/global/networks/main",
    assetType: "compute.googleapis.com/Network",
    resource: { version: "v1", location: "global", data: { id: "816", name: "main" } },
  },
];

/** IAM policies of the two resources that have one. */
export const POLICIES: readonly JsonObject[] = [
  policy("//storage.googleapis.com/shop-images", "storage.googleapis.com/Bucket", [
    {
      role: "roles/storage.legacyBucketOwner",
      members: ["projectEditor:shop-prod", "projectOwner:shop-prod"],
    },
    { role: "roles/storage.objectViewer", members: ["allUsers"] },
  ]),
  policy(
    "//cloudresourcemanager.googleapis.com/projects/4711",
    "cloudresourcemanager.googleapis.com/Project",
    [{ role: "roles/owner", members: ["user:ada@example.com"] }],
  ),
];

function policy(name: string, assetType: string, bindings: JsonObject[]): JsonObject {
  return { name, assetType, iamPolicy: { etag: "BwYbxQ==", bindings }, ancestors: ["projects/4711"] };
}

function bucket(name: string, location: string): JsonObject {
  return {
    name: `//storage.googleapis.com/${name}`,
    assetType: "storage.googleapis.com/Bucket",
    resource: {
      version: "v1",
      parent: "//cloudresourcemanager.googleapis.com/projects/4711",
      location: location.toLowerCase(),
      data: { id: name, name, location, projectNumber: "4711", storageClass: "STANDARD" },
    },
  };
}

/** The same resources as search results. */
export const RESULTS: readonly JsonObject[] = ASSETS.map((asset) => ({
  name: asset["name"] ?? "",
  assetType: asset["assetType"] ?? "",
  project: "projects/4711",
  displayName: (text(asset, "name") ?? "").split("/").at(-1) ?? "",
  parentFullResourceName: "//cloudresourcemanager.googleapis.com/projects/shop-prod",
}));
