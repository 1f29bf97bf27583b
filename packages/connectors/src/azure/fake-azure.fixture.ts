import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";

import { Objects } from "../rest/objects.fixture.ts";
import { answer, pageOf, type Interference } from "../rest/rest.fixture.ts";
import {
  AUDIT_ACTION,
  GRAPH_ACTION,
  LOCATIONS_ACTION,
  PERMISSIONS_ACTION,
  SUBSCRIPTION_ACTION,
} from "./azure-role.ts";

const TENANT = "72f988bf-0000-4000-8000-2d7cd011db47";
const CLIENT = "5f1b8c3e-0000-4000-8000-0a1b2c3d4e5f";
const SUBSCRIPTION = "0b1f6471-1bf0-4dda-aec3-cb9272f09590";
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const REGIONS = ["westeurope", "northeurope", "eastus", "asia", "global"];
const GRAPH = "/providers/Microsoft.ResourceGraph/resources";

const STORAGE = "https://storage.azure.com";

/** Azure for tests of the connector: Entra ID's sign-in, Resource Manager, Resource Graph's tables, and blobs. */
export class FakeAzure {
  readonly tenant = TENANT;
  readonly client = CLIENT;
  readonly subscription = SUBSCRIPTION;
  readonly secret = "client-secret-canary";
  readonly assertion = "assertion-canary";
  /** Decides whether a federated identity may sign in. */
  trusts = (assertion: string): boolean | Promise<boolean> => assertion === this.assertion;
  readonly tables = new Map<string, readonly JsonObject[]>(TABLES);
  /** Permissions of the caller's roles, as Azure returns them. */
  permissions: JsonObject[] = [{ actions: ["*/read"], notActions: [] }];
  /** Max number of permissions per page. */
  maxPermissions = Infinity;
  /** Actions that calls required. */
  readonly used = new Set<string>();
  readonly queries: string[] = [];
  readonly blobs = new Objects();
  /** Tokens that are valid only for blobs. */
  readonly #blobTokens = new Set<string>();
  /** Activity log entries, returned for every filter. */
  activities: JsonObject[] = [];
  /** Number of empty pages before the activity log entries. */
  emptyPages = 0;
  /** Filters of activity log requests. */
  readonly filters: string[] = [];
  readonly tokens: string[] = [];
  readonly expired = new Set<string>();
  readonly requests: string[] = [];
  maxRows = 2;
  /** Max size of a page's rows, in characters. */
  maxCharacters = Infinity;
  /** Headers of each page. */
  headers: Record<string, string> = {};
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

  get endpoints(): Record<"login" | "management" | "blobs", string> {
    const base = `http://${this.host}`;
    return { login: base, management: base, blobs: `${base}/blobs/*` };
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #signIn(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const secret = form.get("client_secret");
    const proof = secret ?? form.get("client_assertion") ?? "";
    const isRight =
      (secret === null ? await this.trusts(proof) : secret === this.secret) &&
      form.get("client_id") === CLIENT &&
      [this.endpoints.management, STORAGE].some((resource) => form.get("scope") === `${resource}/.default`);
    if (!isRight) {
      const error_description = `AADSTS7000215: Invalid client secret provided: ${proof}`;
      return answer(401, { error: "invalid_client", error_description });
    }
    const access_token = `eyJ.access-canary-${this.tokens.length}`;
    this.tokens.push(access_token);
    if (form.get("scope")?.startsWith(STORAGE)) this.#blobTokens.add(access_token);
    return answer(200, { access_token, expires_in: 3599, token_type: "Bearer" });
  }

  #allowed(action: string): boolean {
    this.used.add(action);
    return this.permissions.some(({ actions }) => {
      const patterns = Array.isArray(actions) ? actions.map(String) : [];
      return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(action));
    });
  }

  #listPermissions(url: URL): Response {
    const page = pageOf(this.permissions, this.maxPermissions, url.searchParams.get("$skipToken"));
    url.searchParams.set("$skipToken", page.next ?? "");
    return answer(200, { value: page.rows, ...(page.next !== undefined && { nextLink: url.href }) });
  }

  async #query(request: Request): Promise<Response> {
    const body: unknown = await request.json();
    if (!isObject(body)) return invalid("InvalidQuery");
    const query = text(body, "query") ?? "";
    const options = member(body, "options") ?? {};
    this.queries.push(query);
    if (options["resultFormat"] !== "objectArray" || !/ (?:order by id asc|take 1)$/.test(query))
      return invalid("InvalidQuery");
    const rows = this.tables.get(/^\w+/.exec(query)?.[0] ?? "");
    if (rows === undefined) return invalid("DisallowedLogicalTableName");
    const region = /location =~ '(\w+)' \|/.exec(query)?.[1];
    const found = rows.filter(({ location }) => region === undefined || location === region);
    return this.#page(found, options);
  }

  #page(found: readonly JsonObject[], options: JsonObject): Response {
    const size = Math.min(Number(options["$top"]), this.maxRows);
    const page = pageOf(found, size, text(options, "$skipToken"));
    if (JSON.stringify(page.rows).length > this.maxCharacters) return invalid("ResponsePayloadTooLarge");
    return answer(200, graphPage(found.length, page), this.headers);
  }

  async #manage(request: Request, pathname: string): Promise<Response> {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (!this.tokens.includes(token) || this.expired.has(token))
      return answer(401, { error: { code: "ExpiredAuthenticationToken", message: `bad ${token}` } });
    const routes: Record<string, [string, () => Response | Promise<Response>]> = {
      [GRAPH]: [GRAPH_ACTION, () => this.#query(request)],
      [`/subscriptions/${SUBSCRIPTION}`]: [SUBSCRIPTION_ACTION, () => answer(200, { state: "Enabled" })],
      [`/subscriptions/${SUBSCRIPTION}/locations`]: [
        LOCATIONS_ACTION,
        () => answer(200, { value: REGIONS.map((name) => ({ name, type: "Region" })) }),
      ],
      [`/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/permissions`]: [
        PERMISSIONS_ACTION,
        () => this.#listPermissions(new URL(request.url)),
      ],
      [`/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Insights/eventtypes/management/values`]: [
        AUDIT_ACTION,
        () => {
          const url = new URL(request.url);
          this.filters.push(url.searchParams.get("$filter") ?? "");
          const page = Number(url.searchParams.get("$skipToken") ?? 0);
          url.searchParams.set("$skipToken", String(page + 1));
          return page < this.emptyPages
            ? answer(200, { value: [], nextLink: url.href })
            : answer(200, { value: this.activities });
        },
      ],
    };
    const [action, respond] = routes[pathname] ?? [];
    if (action === undefined || respond === undefined) return answer(404, { error: { code: "NotFound" } });
    return this.#allowed(action)
      ? respond()
      : answer(403, { error: { code: "AuthorizationFailed", message: "denied canary" } });
  }

  #blob(request: Request, pathname: string): Response {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (!this.#blobTokens.has(token) || !request.headers.has("x-ms-version"))
      return new Response(`bad ${token}`, { status: 401 });
    return this.blobs.answer(request, decodeURIComponent(pathname.slice("/blobs".length)), noBlob);
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    const before = this.interfere(request);
    if (before) return before;
    if (pathname.startsWith("/blobs/")) return this.#blob(request, pathname);
    return pathname === `/${TENANT}/oauth2/v2.0/token`
      ? this.#signIn(request)
      : this.#manage(request, pathname);
  }
}

const noBlob = (): Response => new Response("no such blob", { status: 404 });

function invalid(code: string): Response {
  return answer(400, { error: { code: "BadRequest", details: [{ code }] } });
}

function graphPage(totalRecords: number, { rows, next }: ReturnType<typeof pageOf>): JsonObject {
  return {
    totalRecords,
    count: rows.length,
    data: rows,
    facets: [],
    resultTruncated: next === undefined ? "false" : "true",
    ...(next !== undefined && { $skipToken: next }),
  };
}

/** Rows of Resource Graph, by table. */
export const TABLES: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  [
    "resources",
    [
      row("Microsoft.Storage/storageAccounts", "shopimages", "westeurope", { accessTier: "Hot" }),
      row("Microsoft.Storage/storageAccounts", "shoplogs", "westeurope", { accessTier: "Cool" }),
      row("Microsoft.Compute/disks", "web-1", "northeurope", { diskSizeGB: 32 }),
      row("Microsoft.Network/trafficManagerProfiles", "front", "global", {}),
      row("Microsoft.KeyVault/vaults", "shopkeys", "westeurope", { enableRbacAuthorization: true }),
    ],
  ],
  [
    "resourcecontainers",
    [
      {
        id: GROUP,
        name: "shop",
        type: "microsoft.resources/subscriptions/resourcegroups",
        location: "westeurope",
        properties: { provisioningState: "Succeeded" },
      },
    ],
  ],
  ["dnsresources", [row("Microsoft.Network/dnszones/A", "www", "global", { TTL: 300 })]],
  ["authorizationresources", []],
  ["policyresources", []],
]);

function row(type: string, name: string, location: string, properties: JsonObject): JsonObject {
  const [namespace, ...path] = type.split("/");
  return {
    id: `${GROUP}/providers/${namespace}/${path.length === 1 ? path[0] : `${path[0]}/shop.example/${path[1]}`}/${name}`,
    name,
    type: type.toLowerCase(),
    location,
    resourceGroup: "shop",
    subscriptionId: SUBSCRIPTION,
    tags: { team: "shop" },
    properties,
  };
}
