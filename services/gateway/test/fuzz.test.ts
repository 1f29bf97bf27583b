import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { ENDPOINTS } from "../src/endpoints.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { placeholders } from "../src/http/parameters.ts";
import { undocumented } from "./support/documented.ts";
import { OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; owner: string; key: string };
beforeAll(async () => {
  gateway = await startTestGateway();
  const own = await gateway.newOwnedOrg();
  org = { ...own, key: (await gateway.newKey(own.id, own.owner, "admin")).key };
});
afterAll(() => gateway.stop());

const RUNS = 80;

const uuidLike = fc.constantFrom(
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "{018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90}",
  "urn:uuid:018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
  "018f6e0a4c1d7a539b7e2f1d3c5a7e90",
);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.toWellFormed()),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "\0",
    "a\0b",
    "'; drop table x; --",
    "../..",
    "x".repeat(3_000),
    "٣",
    "🙂",
  ),
  uuidLike,
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.uuid() },
  fc.constantFrom("%zz", "%ff", "%00", "%2e%2e%2f", "%C0%AF"),
  text.filter((value) => !["", ".", ".."].includes(value)).map(encodeURIComponent),
);
const value = fc.oneof(
  text,
  fc.constantFrom("0", "-1", "501", "1e9", "NaN", "Infinity", "1.5", "true", "null", "[]", ""),
);
const number = fc.constantFrom(
  "1e400",
  "-1e400",
  "9007199254740993",
  "1e-400",
  "-0",
  "0.1",
  "999999999999999999999999",
);

/** Draws JSON text: mostly almost valid, sometimes unrelated or invalid JSON. */
const bodyFor = (sample: unknown) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constant(sample), fc.nat(), fc.oneof(fc.jsonValue(), text)).map(mutate),
    },
    {
      weight: 1,
      arbitrary: number.map(
        (written) => `{"limit":${written},"overlap_hours":${written},"enabled":${written}}`,
      ),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: text },
    fc.nat(5_000).map((depth) => `{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    fc.constantFrom(
      '{"name":"\\u0000"}',
      '{"name":"\\ud800"}',
      '{"__proto__":{"admin":true}}',
      '{"a":1,"a":2}',
      '{"name":"',
      "[",
      "",
    ),
  );

/** Returns the sample with one member replaced, removed or added. */
function mutate([sample, at, junk]: [unknown, number, unknown]): string {
  if (typeof sample !== "object" || sample === null) return JSON.stringify(junk);
  const members = Object.entries(sample);
  const [name = "name"] = members[at % Math.max(members.length, 1)] ?? [];
  switch (at % 4) {
    case 0:
      return JSON.stringify({ ...sample, [name]: junk });
    case 1:
      return JSON.stringify(Object.fromEntries(members.filter(([other]) => other !== name)));
    case 2:
      return JSON.stringify({ ...sample, [typeof junk === "string" ? junk : JSON.stringify(junk)]: junk });
    default:
      return JSON.stringify(sample);
  }
}

/** Draws mostly from `right`, so that a wrong value beside it is reached. */
function seldom<T, U>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

const invalidUtf8 = fc.uint8Array({ minLength: 1, maxLength: 60 });
const headers = fc.record(
  {
    accept: fc.constantFrom("application/json", "application/problem+json", "*/*", "text/html"),
    "content-type": fc.constantFrom(
      "application/json",
      "text/plain",
      "application/xml",
      "multipart/form-data",
      "junk",
      ";;;",
    ),
    "content-encoding": fc.constantFrom("gzip", "br", "identity", "junk"),
    "idempotency-key": fc.constantFrom("a", "b", "", "x".repeat(300)),
    "x-request-id": fc.constantFrom("ok", "not ok", "x".repeat(100)),
    traceparent: fc.constantFrom("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "junk"),
  },
  { requiredKeys: [] },
);

function callerFor({ who, only }: Endpoint): string {
  if (who === "operator") return OPERATOR_TOKEN;
  return only === "person" ? org.owner : org.key;
}

const cases = ENDPOINTS.filter(
  // The last one is a stream, which stays open.
  ({ hidden, operationId }) => !hidden && !["deleteOrganization", "followOrganization"].includes(operationId),
).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

test.each(cases)("%s answers malformed requests as documented, never with 5xx", async (_, endpoint) => {
  const { method, path, query, body: schema, bodyExample, upload } = endpoint;
  const names = placeholders(path).map(([name]) => name);
  const filters = [...Object.keys(query.properties), "page_size", "colour"];
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        steps: fc.array(step, { minLength: names.length, maxLength: names.length }),
        own: seldom(fc.constant(true), fc.constant(false)),
        search: seldom(
          fc.constant([]),
          fc.array(fc.tuple(fc.constantFrom(...filters), value), { maxLength: 4 }),
        ),
        body: schema || upload ? seldom(bodyFor(bodyExample), invalidUtf8) : fc.constant(undefined),
        headers: seldom(fc.constant({}), headers),
      }),
      async (junk) => {
        const target = names.reduce(
          (target, name, index) =>
            target.replace(`:${name}`, () =>
              name === "id" && junk.own ? org.id : (junk.steps[index] ?? ""),
            ),
          path,
        );
        const search = new URLSearchParams(junk.search).toString();
        const answered = await gateway.ask(method, `${target}?${search}`, {
          as: callerFor(endpoint),
          body: junk.body,
          headers: junk.headers,
        });
        expect(answered.status).toBeLessThan(500);
        expect(undocumented(endpoint, answered)).toBeUndefined();
      },
    ),
    { numRuns: RUNS },
  );
});
