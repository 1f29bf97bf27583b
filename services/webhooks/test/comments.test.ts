import { describe, expect, test } from "bun:test";

import { ReplyToComment, type CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import type { Egress } from "@leeway/shared/security/egress/egress";

import { cut, flood, hang, page, redirect, slow, status } from "../../../tests/code-hosts/server.ts";
import { putComment } from "../src/code-host/comments.ts";
import { startTestWebhooks } from "./kit.ts";
import { commenting, MARKER, PLANNER, VCS, partsOf } from "./support/commenting.ts";

const hosts = commenting();
const { gitlab, github, newOrg, put } = hosts;

const HOSTS = [
  {
    name: "a GitLab merge request",
    host: gitlab,
    target: { source: "vcs", repository: VCS, number: 7 } satisfies CommentTarget,
    texts: () => gitlab.texts(7),
    write: (body: string) => void gitlab.write(body),
    removeAll: () => void (gitlab.notes.length = 0),
    edit: (body: string) => {
      const [note] = gitlab.notes;
      if (note) note.body = body;
    },
  },
  {
    name: "a GitHub pull request",
    host: github,
    target: { source: "planner", repository: PLANNER, number: 7 } satisfies CommentTarget,
    texts: () => github.texts(7),
    write: (body: string) => void github.write(body),
    removeAll: () => void (github.comments.length = 0),
    edit: (body: string) => {
      const [comment] = github.comments;
      if (comment) comment.body = body;
    },
  },
];

describe.each(HOSTS)("on $name", ({ host, target, texts, write, removeAll, edit }) => {
  const writes = (): string[] =>
    host.requests
      .filter(({ method, path }) => method !== "GET" && !path.startsWith("/app/"))
      .map(({ method }) => method);

  test("a comment is created, updated in place, and not written when unchanged", async () => {
    const { orgId } = await newOrg();
    host.recover();
    const created = await put(orgId, target, partsOf("first"));
    expect(created).toMatchObject({ done: true, outcome: "created", url: expect.stringMatching(/\d+$/) });
    expect(await put(orgId, target, partsOf("second"))).toMatchObject({ ...created, outcome: "updated" });
    expect(await put(orgId, target, partsOf("second"))).toMatchObject({ ...created, outcome: "unchanged" });
    expect(texts()).toEqual([`${MARKER}\nsecond`]);
    expect(writes()).toHaveLength(2);
  });

  test("twenty concurrent requests from two instances leave one comment", async () => {
    const { orgId } = await newOrg();
    host.fail(slow(5));
    // The bus sends each request to either instance.
    const second = await startTestWebhooks({ ...hosts.options, beside: hosts.webhooks });
    const puts = Array.from({ length: 20 }, (_, index) => put(orgId, target, partsOf(`text ${index % 3}`)));
    const outcomes = await Promise.all(puts);
    await second.stop();
    expect(outcomes.every(({ done }) => done)).toBe(true);
    expect(outcomes.filter((put) => put.done && put.outcome === "created")).toHaveLength(1);
    expect(texts()).toHaveLength(1);
    expect(host.maxAtOnce()).toBe(1);
  });

  test("the number of comment parts follows the text", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("a"));
    expect(await put(orgId, target, partsOf("a", "b", "c"))).toMatchObject({ outcome: "updated" });
    expect(texts().map((text) => text.split("\n")[1])).toEqual(["a", "b", "c"]);
    expect(await put(orgId, target, partsOf("a", "d"))).toMatchObject({ outcome: "updated" });
    expect(texts().map((text) => text.split("\n")[1])).toEqual(["a", "d"]);
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\na`]);
  });

  test("removing our parts keeps another project's comment", async () => {
    const { orgId } = await newOrg();
    const other = "<!-- leeway:plan:prod-eu -->";
    await put(orgId, target, partsOf("a", "b"));
    await put(orgId, target, [{ marker: other, body: `${other}\nelsewhere` }]);
    await put(orgId, target, partsOf("a"));
    expect(texts()).toEqual([`${MARKER}\na`, `${other}\nelsewhere`]);
  });

  test("a comment with the former marker gets the new one, and its duplicate is deleted", async () => {
    const { orgId } = await newOrg();
    const former = "<!-- leeway:plan:prod: -->";
    const stranger = "<!-- leeway:plan:prod:eu -->";
    const partTwo = former.replace(" -->", " part 2 -->");
    await put(
      orgId,
      target,
      [former, partTwo].map((marker) => ({ marker, body: "before" })),
    );
    await put(orgId, target, [{ marker: stranger, body: "another's" }]);
    expect(await put(orgId, target, partsOf("now"), [former])).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\nnow`, `${stranger}\nanother's`]);
    await put(orgId, target, [{ marker: former, body: "doubled" }]);
    expect(await put(orgId, target, partsOf("now"), [former])).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\nnow`, `${stranger}\nanother's`]);
  });

  test("another user's comment with our marker isn't touched", async () => {
    const { orgId } = await newOrg();
    write(`${MARKER}\nnot ours`);
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "created" });
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "unchanged" });
    expect(texts()).toEqual([`${MARKER}\nnot ours`, `${MARKER}\nours`]);
  });

  test("a person's edit of our comment is undone", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    edit(`${MARKER}\r\nnothing to see here`);
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\nours`]);
  });

  test("other line endings don't count as a change", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("one\ntwo"));
    edit(`${MARKER}\r\none\r\ntwo\r\n`);
    expect(await put(orgId, target, partsOf("one\ntwo"))).toMatchObject({ outcome: "unchanged" });
  });

  test("a deleted comment is created again", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    removeAll();
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "created" });
    expect(texts()).toHaveLength(1);
  });

  test("a comment deleted during its update is created again", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    host.fail(
      (_, usual) => {
        removeAll();
        return usual();
      },
      /^(?:PUT|PATCH) /,
      1,
    );
    expect(await put(orgId, target, partsOf("newer"))).toMatchObject({ done: true, outcome: "created" });
    expect(texts()).toEqual([`${MARKER}\nnewer`]);
  });

  test("a comment isn't posted twice when the response to its creation was lost", async () => {
    const { orgId } = await newOrg();
    host.fail(cut, /^POST .*(?:notes|comments)$/, 1);
    expect(await put(orgId, target, partsOf("ours"))).toEqual({ done: false, problem: "unavailable" });
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "unchanged" });
    expect(texts()).toHaveLength(1);
  });

  test("a duplicate that appears only after creation is deleted at once", async () => {
    const { orgId } = await newOrg();
    const before = await put(orgId, target, partsOf("ours"));
    host.fail(() => Response.json([]), /^GET .*(?:notes|comments)\?/, 1);
    const after = await put(orgId, target, partsOf("newer"));
    expect(after).toMatchObject({ done: true, outcome: "created", url: before.done && before.url });
    expect(texts()).toEqual([`${MARKER}\nnewer`]);
  });

  test("duplicates from two processes are deleted, except the oldest", async () => {
    const { orgId } = await newOrg();
    // Simulates two processes: the first listed the comments before the second posted its own.
    host.fail(() => Response.json([]), /^GET .*(?:notes|comments)\?/, 2);
    await put(orgId, target, partsOf("ours"));
    await put(orgId, target, partsOf("ours"));
    expect(await put(orgId, target, partsOf("newest"))).toMatchObject({ done: true });
    expect(texts()).toEqual([`${MARKER}\nnewest`]);
  });

  test("our comment is found behind 250 others", async () => {
    const { orgId } = await newOrg();
    for (let count = 0; count < 250; count += 1) write("chatter");
    await put(orgId, target, partsOf("ours"));
    host.requests.length = 0;
    expect(await put(orgId, target, partsOf("newer"))).toMatchObject({ outcome: "updated" });
    expect(host.requests.filter(({ path }) => /(?:notes|comments)\?/.test(path))).toHaveLength(3);
  });

  test("requests for one repository run one at a time", async () => {
    const { orgId } = await newOrg();
    host.recover();
    await Promise.all([1, 2, 3, 7].map((number) => put(orgId, { ...target, number }, partsOf("a"))));
    expect(host.maxAtOnce()).toBe(1);
  });

  test("our comment is found among 120 long ones", async () => {
    const { orgId } = await newOrg();
    for (let count = 0; count < 120; count += 1) write("x".repeat(count % 2 === 0 ? 400_000 : 10));
    const created = await put(orgId, target, partsOf("first"));
    expect(created).toMatchObject({ done: true, outcome: "created" });
    expect(await put(orgId, target, partsOf("second"))).toMatchObject({ done: true, outcome: "updated" });
    expect(texts().slice(120)).toEqual([`${MARKER}\nsecond`]);
  });

  test("a text over the host's limit is reported as too large, and nothing is written", async () => {
    const { orgId } = await newOrg();
    const length = target.source === "vcs" ? 1_000_001 : 65_537;
    const body = `${MARKER}\n`.padEnd(length, "x");
    expect(await put(orgId, target, [{ marker: MARKER, body }])).toEqual({
      done: false,
      problem: "too_large",
    });
    const most = [{ marker: MARKER, body: body.slice(0, length - 1) }];
    expect(await put(orgId, target, most)).toMatchObject({ outcome: "created" });
    expect(texts()).toHaveLength(1);
  });

  test("an unknown merge request or repository isn't found", async () => {
    const { orgId } = await newOrg();
    const gone = { ...target, number: 404 };
    expect(await put(orgId, gone, partsOf("a"))).toEqual({ done: false, problem: "not_found" });
    const repository = target.source === "vcs" ? "no/such" : "acme/none";
    const problem = target.source === "vcs" ? "not_found" : "app_not_installed";
    expect(await put(orgId, { ...target, repository }, partsOf("a"))).toEqual({ done: false, problem });
    expect(await put(orgId, { ...target, repository: "acme/.." }, partsOf("a"))).toMatchObject({
      done: false,
      problem: "not_found",
    });
  });

  test.each([
    ["403", status(403), { problem: "forbidden" }],
    ["404", status(404), { problem: "not_found" }],
    ["500", status(500), { problem: "unavailable" }],
    ["200 that is no JSON", page, { problem: "unavailable" }],
    ["a response of 17 MB", flood(17 << 20), { problem: "unavailable" }],
    ["a truncated response", cut, { problem: "unavailable" }],
    [
      "429 with a time",
      status(429, { "retry-after": "17" }),
      { problem: "unavailable", retry_after_seconds: 17 },
    ],
    ["429 without one", status(429), { problem: "unavailable", retry_after_seconds: 60 }],
    [
      "a secondary rate limit",
      status(403, { "retry-after": "5" }, { message: "You have exceeded a secondary rate limit" }),
      { problem: "unavailable", retry_after_seconds: 5 },
    ],
  ] as const)(
    "%s from the host becomes one of our problems, and nothing is written",
    async (_, fault, refused) => {
      const { orgId } = await newOrg();
      host.fail(fault, /^GET .*(?:notes|comments)\?/);
      expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, ...refused });
      expect(texts()).toEqual([]);
    },
  );

  test("a redirect isn't followed", async () => {
    const { orgId } = await newOrg();
    let contacts = 0;
    const canary = Bun.serve({
      port: 0,
      fetch: () => {
        contacts += 1;
        return new Response();
      },
    });
    host.fail(redirect(canary.url.href), /(?:notes|comments)/);
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "unavailable" });
    expect(contacts).toBe(0);
    await canary.stop(true);
  });

  test("after a 429 the host is paused for this organization only", async () => {
    const [limited, other] = [await newOrg(), await newOrg()];
    host.fail(status(429, { "retry-after": "30" }), /(?:notes|comments)\?/, 1);
    await put(limited.orgId, target, partsOf("a"));
    host.requests.length = 0;
    expect(await put(limited.orgId, target, partsOf("a"))).toMatchObject({
      done: false,
      problem: "unavailable",
      retry_after_seconds: expect.any(Number),
    });
    expect(host.requests).toEqual([]);
    expect(await put(other.orgId, target, partsOf("a"))).toMatchObject({ done: true });
  });

  test("a host that hangs delays only its own organization", async () => {
    const [stuck, other] = [await newOrg(), await newOrg()];
    await put(other.orgId, target, partsOf("a"));
    host.fail(hang, /(?:notes|comments)\?/, 1);
    const { dependencies } = hosts.webhooks;
    const { egress } = dependencies;
    const hasty: Egress = {
      ...egress,
      fetch: (url, init) => egress.fetch(url, { ...init, timeoutMs: 3_000 }),
    };
    const input = { org_id: stuck.orgId, target, parts: partsOf("a") };
    let hasEnded = false;
    const failing = putComment({ ...dependencies, egress: hasty }, input).finally(() => {
      hasEnded = true;
    });
    host.requests.length = 0;
    while (!host.requests.some(({ path }) => /(?:notes|comments)\?/.test(path))) await Bun.sleep(5);
    expect(await put(other.orgId, target, partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(hasEnded).toBe(false);
    expect(await failing).toEqual({ done: false, problem: "unavailable" });
  });

  test("a host that fails five times in a row is paused", async () => {
    const { orgId } = await newOrg();
    host.fail(status(500));
    for (let count = 0; count < 5; count += 1) await put(orgId, target, partsOf("a"));
    host.requests.length = 0;
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ problem: "unavailable" });
    expect(host.requests).toEqual([]);
  });

  test("a reply is posted once, even if requested several times", async () => {
    const { orgId } = await newOrg();
    const marker = "<!-- leeway:reply:d1 -->";
    const reply = () =>
      hosts.webhooks.call(ReplyToComment, {
        org_id: orgId,
        target,
        marker,
        body: "**Help**",
        discussion_id: "d404",
      });
    const answers = await Promise.all([reply(), reply(), reply()]);
    for (const answer of answers) expect(answer).toEqual({ done: true, url: expect.any(String) });
    expect(texts()).toEqual([`${marker}\n**Help**`]);
  });
});
