import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { ENDPOINTS } from "../../services/gateway/src/endpoints.ts";
import { placeholders } from "../../services/gateway/src/http/parameters.ts";
import { undocumented } from "../../services/gateway/test/support/documented.ts";
import { startStack, type Stack } from "./stack.ts";
import { fillTenant, type Tenant } from "./tenant.ts";

const RUNS = 60;
/** Error of every scan without a connection to a cloud. */
const NO_CONNECTOR = "registry_not_configured";

let stack: Stack;
let tenant: Tenant;
beforeAll(async () => {
  stack = await startStack();
  tenant = await fillTenant(stack, "canary");
});
afterAll(() => stack.stop());

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((value) => value.toWellFormed()),
  fc.constantFrom(
    "%00",
    "a%00b",
    "%zz",
    "%ff",
    "%ed%a0%80",
    "__proto__",
    "'; drop table x; --",
    "\\",
    "%",
    "_",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999999999-23:59",
    "2026-01-01T00:00:00Z",
    "infinity",
    "9223372036854775808",
    "1e400",
    "-1",
    "NaN",
    "x".repeat(3_000),
    "{1,2}",
    "\u{10FFFF}",
    "{018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90}",
    "018F6E0A-4C1D-7A53-9B7E-2F1D3C5A7E90",
  ),
);
const encoded = odd.map((value) => (value.startsWith("%") ? value : encodeURIComponent(value)));
const step = encoded.filter((value) => !["", ".", "..", "%2E", "%2E%2E"].includes(value));

/** Reads that end: a stream of events has its own tests. */
const reads = ENDPOINTS.filter(
  ({ method, path, operationId }) =>
    method === "GET" && path.startsWith("/api/v2/orgs/:id/") && operationId !== "followOrganization",
);

test.each(reads.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "%s with any query never fails with 5xx",
  async (_, endpoint) => {
    const names = ["limit", "cursor", ...Object.keys(endpoint.query.properties)];
    const steps = placeholders(endpoint.path).filter(([name]) => name !== "id");
    const query = fc.array(fc.tuple(fc.constantFrom(...names), encoded), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: steps.length, maxLength: steps.length }),
        query,
        async (given, query) => {
          const path = steps.reduce(
            (path, [name], index) => path.replace(`:${name}`, () => given[index] ?? ""),
            endpoint.path.replace(":id", tenant.id),
          );
          const search = query.map(([name, value]) => `${name}=${value}`).join("&");
          const answered = await stack.ask("GET", `${path}?${search}`, { as: tenant.key });
          expect(answered.status, `${path}?${search} ${answered.text}`).toBeLessThan(500);
          expect(undocumented(endpoint, answered)).toBeUndefined();
        },
      ),
      { numRuns: RUNS },
    );
  },
);

/** Draws the sample body with one member replaced. */
const changedBody = (sample: object) =>
  fc
    .tuple(
      fc.constantFrom(...Object.keys(sample)),
      fc.oneof(odd, fc.jsonValue(), fc.constant(tenant.ids.account)),
    )
    .map(([name, value]) => ({ ...sample, [name]: value }));

const writes = ENDPOINTS.filter(
  ({ method, path, bodyExample, only }) =>
    method !== "GET" &&
    path.startsWith("/api/v2/orgs/:id") &&
    typeof bodyExample === "object" &&
    only === undefined,
);

test.each(writes.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "%s with any body never fails with 5xx",
  async (_, endpoint) => {
    const sample = Object(endpoint.bodyExample);
    const ids: Record<string, string> = {
      id: tenant.id,
      account_id: tenant.ids.account,
      source_id: tenant.ids.source,
    };
    const path = placeholders(endpoint.path).reduce(
      (path, [name]) => path.replace(`:${name}`, ids[name] ?? "aws.default_vpc"),
      endpoint.path,
    );
    const search = "validate" in endpoint.query.properties ? "?validate=false" : ""; // skips the call to the host
    await fc.assert(
      fc.asyncProperty(changedBody(sample), async (body) => {
        const answered = await stack.ask(endpoint.method, path + search, { as: tenant.owner, body });
        if (answered.body.code === NO_CONNECTOR) return;
        expect(answered.status, `${JSON.stringify(body)} ${answered.text}`).toBeLessThan(500);
        expect(undocumented(endpoint, answered)).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  },
);
