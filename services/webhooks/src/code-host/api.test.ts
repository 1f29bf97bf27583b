import { expect, test } from "bun:test";

import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";

import { createApi, type Api } from "./api.ts";
import type { CodeHost } from "./code-host.ts";
import { HostFailure } from "./failure.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { createPauses } from "./pauses.ts";
import { putComment } from "./put-comment.ts";
import { refusalOf } from "./refusal.ts";

const BASE = "https://git.example.com/api/v4";

const keep = async (): Promise<void> => undefined;

/** Creates an API that returns `answers` in order, and repeats the last one. `asked` collects the URLs. */
function apiOf(answers: readonly (() => Response)[], asked: string[] = []): Api {
  const egress: Egress = {
    check: async () => undefined,
    fetch: async (url) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(url);
      return answer?.() ?? new Response(null, { status: 500 });
    },
  };
  return createApi({ egress, pauses: createPauses(), orgId: "o", baseUrl: BASE, headers: {}, keep });
}

const linked = (link: string) => () => Response.json([{ id: 1 }], { headers: { link } });

async function addressesOf(link: string): Promise<string[]> {
  const asked: string[] = [];
  const api = apiOf([linked(link), () => Response.json([])], asked);
  for await (const item of api.list("/notes?per_page=2", t.Object({ id: t.Integer() })))
    expect(item.id).toBe(1);
  return asked;
}

test.each([
  [`<${BASE}/notes?per_page=2&page=2>; rel="next"`, "?per_page=2&page=2"],
  [`<${BASE}/notes?page=1>; rel="first", <${BASE}/notes?page=2>; rel="next"`, "?page=2"],
  [`<${BASE}/notes?page=2>; rel=next; title="x", <${BASE}/notes?page=9>; rel="last"`, "?page=2"],
  [`<https://evil.example.net/steal?page=2>; rel="next"`, "?page=2"],
  [`<//evil.example.net/../../user?page=2>; rel="next"`, "?page=2"],
])("the next page of %s is requested at the original path", async (link, query) => {
  expect(await addressesOf(link)).toEqual([`${BASE}/notes?per_page=2`, `${BASE}/notes${query}`]);
});

test.each([
  "",
  `<${BASE}/notes?page=1>; rel="last"`,
  `<${BASE}/notes?page=1>; rel="nextish"`,
  "<>",
  "rel=next",
])("%p has no next page", async (link) => {
  expect(await addressesOf(link)).toHaveLength(1);
});

test("an endless list stops after 100 pages", async () => {
  const asked: string[] = [];
  const api = apiOf([linked(`<${BASE}/notes?page=2>; rel="next"`)], asked);
  const all = Array.fromAsync(api.list("/notes", t.Object({ id: t.Integer() })));
  expect(await all.catch((failure: unknown) => failure)).toMatchObject({ problem: "unavailable" });
  expect(asked).toHaveLength(100);
});

test("a host that hangs on comments is paused although its user endpoint works", async () => {
  const asked: string[] = [];
  const egress: Egress = {
    check: async () => undefined,
    fetch: async (url) => {
      asked.push(url);
      if (url.endsWith("/user")) return Response.json({ id: 1 });
      throw new Error("processing exceeded its time limit");
    },
  };
  const api = createApi({ egress, pauses: createPauses(), orgId: "o", baseUrl: BASE, headers: {}, keep });
  const attempt = async (note: number): Promise<unknown> => {
    const schema = t.Object({ id: t.Integer() });
    await api.ask({ path: "/user" }, schema);
    return api.ask({ path: `/projects/7/notes/${note}` }, schema);
  };
  for (let note = 0; note < 5; note += 1) await attempt(note).catch(() => undefined);
  expect(asked).toHaveLength(10);
  expect(await attempt(5).catch((error: unknown) => error)).toMatchObject({ retryAfterSeconds: 30 });
  expect(asked).toHaveLength(10);
});

type Row = [number, Record<string, string>, unknown, [CommentProblem, seconds: number | undefined]];

const NOW = Date.parse("2026-11-20T10:00:00Z");

test.each<Row>([
  [401, {}, undefined, ["token_rejected", undefined]],
  [403, {}, { message: "403 Forbidden" }, ["forbidden", undefined]],
  [403, { "retry-after": "30" }, undefined, ["unavailable", 30]],
  [
    403,
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 90) },
    {},
    ["unavailable", 90],
  ],
  [403, {}, { message: "You have exceeded a secondary rate limit." }, ["unavailable", 60]],
  [429, { "retry-after": "Fri, 20 Nov 2026 10:00:12 GMT" }, undefined, ["unavailable", 12]],
  [429, { "retry-after": "0" }, undefined, ["unavailable", 1]],
  [429, { "retry-after": "99999999" }, undefined, ["unavailable", 3_600]],
  [429, { "ratelimit-reset": String(NOW / 1000 + 5) }, undefined, ["unavailable", 5]],
  [429, { "retry-after": "soon" }, undefined, ["unavailable", 60]],
  [503, { "retry-after": "120" }, undefined, ["unavailable", 120]],
  [502, {}, undefined, ["unavailable", undefined]],
  [302, {}, undefined, ["unavailable", undefined]],
  [301, {}, undefined, ["not_found", undefined]],
  [410, {}, undefined, ["not_found", undefined]],
  [413, {}, undefined, ["too_large", undefined]],
  [400, {}, { message: { note: ["is too long (maximum is 1000000 characters)"] } }, ["too_large", undefined]],
  [422, {}, { message: "Validation Failed", errors: ["Body is too long"] }, ["too_large", undefined]],
  [422, {}, { message: "Validation Failed" }, ["forbidden", undefined]],
])("%p with %p and %p gives %p", (status, headers, body, [problem, seconds]) => {
  const refusal = refusalOf(status, new Headers(headers), body, NOW);
  expect(refusal.problem).toBe(problem);
  expect(refusal.retryAfterSeconds).toBe(seconds);
});

test("any response of a host leads to a comment or to one of the documented problems", async () => {
  const note = fc.record({
    id: fc.integer(),
    body: fc.constantFrom("<!-- leeway:x -->\na", "<!-- leeway:x part 2 -->", "hello"),
    author: fc.record({ id: fc.constantFrom(1, 2) }),
    user: fc.record({ id: fc.constant(1), login: fc.constantFrom("a[bot]", "b") }),
  });
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constant("<html>"),
    note.map((one) => JSON.stringify(one)),
    fc.array(note).map((all) => JSON.stringify(all)),
  );
  const status = fc.oneof(fc.constant(200), fc.constant(201), fc.integer({ min: 200, max: 599 }));
  const link = fc.oneof(fc.constant(`<${BASE}?page=2>; rel="next"`), fc.string({ unit: "grapheme-ascii" }));
  const answer = fc.record({ status, body, link });
  const parts = [{ marker: "<!-- leeway:x -->", body: "<!-- leeway:x -->\nb" }];
  const target = { baseUrl: "https://git.example.com", repository: "a/b", number: 1, botLogin: "a[bot]" };
  const open: ((api: Api) => CodeHost)[] = [(api) => gitlab(api, target), (api) => github(api, target)];
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...open),
      async (given, host) => {
        const asked: string[] = [];
        const answers = given.map(({ status, body, link }) => () => {
          const empty = [204, 205, 304].includes(status);
          return new Response(empty ? null : body, {
            status,
            headers: { link: link.replaceAll(/[^ -~]/g, "") },
          });
        });
        const outcome = await putComment(
          host(apiOf([...answers, () => new Response(null, { status: 500 })], asked)),
          parts,
        ).catch((failure: unknown) => failure);
        expect(outcome instanceof HostFailure || typeof outcome === "object").toBe(true);
        expect(outcome instanceof Error && !(outcome instanceof HostFailure)).toBe(false);
        for (const url of asked) expect(url.startsWith(`${BASE}/`)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});
