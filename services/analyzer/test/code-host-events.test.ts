import { afterAll, beforeAll, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import {
  GetPermission,
  ReactToComment,
  ReplyToComment,
  type CommentTarget,
} from "@leeway/shared/contracts/webhooks/comments";
import type { Database } from "@leeway/shared/database/database";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { present } from "@leeway/shared/values/json";
import {
  testBus,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { standingOf, storeJobs } from "../src/jobs/store/jobs.ts";
import type { CommentSubject } from "../src/jobs/subject.ts";
import { SCHEMA } from "../src/schema.ts";
import { startAnalyzer } from "../src/start.ts";

const RING = parseKeyRing(`k1:${Buffer.alloc(32, 1).toString("base64")}`);

let db: TestDatabase;
let database: Database;
let bus: BusConnection;
let webhooks: BusConnection;
let analyzer: Awaited<ReturnType<typeof startAnalyzer>>;
const targets: CommentTarget["source"][] = [];

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  await testStreams(BUS_PARTS);
  bus = await testBus("analyzer");
  webhooks = await testBus("webhooks");
  const endpoints = [
    answer(GetPermission, ({ target }) => done(target, { may_write: true })),
    answer(ReactToComment, ({ target }) => done(target, {})),
    answer(ReplyToComment, ({ target }) => done(target, {})),
  ];
  serve(webhooks, { service: "webhooks", endpoints, log: testLog() });
  await webhooks.nats.flush(); // the server has the subscription
  analyzer = await startAnalyzer(
    { database, bus, log: testLog() },
    { ring: RING, publicBaseUrl: "http://127.0.0.1" },
  );
});
afterAll(async () => {
  await analyzer.drain();
  await Promise.all([bus.nats.close(), webhooks.nats.close()]);
  await db.drop();
});

function done<T extends object>({ source }: CommentTarget, more: T) {
  targets.push(source);
  return Promise.resolve({ done: true as const, ...more });
}

test.each<[kind: CodeHostKind | undefined, target: CommentTarget["source"]]>([
  [undefined, "vcs"],
  ["gitlab", "vcs"],
  ["github", "planner"],
])("a command in a comment of code host %p is answered there", async (kind, target) => {
  targets.length = 0;
  const orgId = crypto.randomUUID();
  const id = Bun.randomUUIDv7();
  const event: CommentSubject["event"] = {
    kind: "comment",
    repository: "acme/infra",
    project_id: 1,
    change_request: { number: 12 },
    from_fork: false,
    author: { id: 7, username: "ada" },
    comment: { id: 3 },
    command: { verb: "help" },
    ...present({ code_host: kind }),
  };
  const subject: CommentSubject = { kind: "comment", config_id: crypto.randomUUID(), event };
  await storeJobs(database.org(orgId), [{ id, subject }]);
  analyzer.dependencies.outbox.offer(orgId, [{ id }]);
  while ((await standingOf(database.org(orgId), id))?.status !== "done") await Bun.sleep(10);
  expect(targets).toEqual([target, target, target]);
});
