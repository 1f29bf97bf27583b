import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { Running } from "@leeway/shared/service/service";
import {
  testBus,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../../services/webhooks/src/bus-parts.ts";
import { createConfig } from "../../services/webhooks/src/configs/configs.ts";
import type { Dependencies } from "../../services/webhooks/src/handlers.ts";
import { receive } from "../../services/webhooks/src/receiving/receive.ts";
import { verified } from "../../services/webhooks/src/receiving/verify.ts";
import { SCHEMA } from "../../services/webhooks/src/schema.ts";
import { startWebhooks } from "../../services/webhooks/src/start.ts";
import { planEvent, RING, signed } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { TEST_MS } from "./promised.ts";
import { compareTimes } from "./welch.ts";

const TRIES = 10_000;
const MAX_T = 4.5;
/** Repeats of a comparison. A real leak shows every time; other load on the machine doesn't. */
const MAX_COMPARISONS = 3;
/** Tolerated difference between equal work on different data, as a share of its time. Memory placement can cause it. */
const COMPARING_SHARE = 0.1;
const REFUSING_SHARE = 0.02;
const SECRET = `whsec_${"5".repeat(64)}`;
const BODY = Buffer.from(planEvent());
const CREDENTIALS: Readonly<Record<Source, string>> = { planner: signed(SECRET, BODY), vcs: SECRET };

async function expectAlike(
  works: readonly [() => unknown, () => unknown],
  what: string,
  minShare = 0,
): Promise<void> {
  const signs = new Set<number>();
  for (let n = 0; n < MAX_COMPARISONS && signs.size < 2; n += 1) {
    const { t, means } = await compareTimes(works, TRIES);
    figure(`${what}: t ${t.toFixed(2)}, means ${means.map((mean) => mean.toFixed(0)).join(" and ")} ns`);
    const share = Math.abs(means[0] - means[1]) / Math.min(...means);
    if (Math.abs(t) < MAX_T || share < minShare) return;
    signs.add(Math.sign(t));
  }
  // Each was slower at least once, so neither is.
  expect(signs.size).toBe(2);
}

const wrongAt = (text: string, at: number): string =>
  text.slice(0, at) + (text.charAt(at) === "0" ? "1" : "0") + text.slice(at + 1);

describe.each(["planner", "vcs"] as const)("the time to refuse a %s call doesn't reveal", (source) => {
  const right = CREDENTIALS[source];
  const configs = [{ secrets: [{ raw: SECRET, expiresAt: Infinity }] }];
  const check = (known: typeof configs, credential: string) => () =>
    verified(known, { source, credential, body: BODY, now: 0 });

  test(
    "how much of its credential is right",
    async () => {
      const first = wrongAt(right, right.length - 64);
      const last = wrongAt(right, right.length - 1);
      await expectAlike(
        [check(configs, first), check(configs, last)],
        `${source}, first or last digit wrong`,
      );
    },
    TEST_MS,
  );

  test(
    "whether there is a secret to compare with",
    async () => {
      const wrong = wrongAt(right, right.length - 1);
      await expectAlike(
        [check(configs, wrong), check([], wrong)],
        `${source}, a config or none`,
        COMPARING_SHARE,
      );
    },
    TEST_MS,
  );
});

describe("the service", () => {
  let db: TestDatabase;
  let bus: BusConnection;
  let webhooks: Running & { dependencies: Dependencies };

  beforeAll(async () => {
    db = await testDatabase([SCHEMA]);
    await testStreams(BUS_PARTS);
    bus = await testBus("timing");
    const platform = { database: db.open(SCHEMA.service), bus, log: testLog() };
    const publicBaseUrl = "https://leeway.example.com";
    const settings = { ring: RING, publicBaseUrl, egressAllow: [], dedupeHours: 24 };
    webhooks = await startWebhooks(platform, settings);
  }, TEST_MS);

  afterAll(async () => {
    await webhooks.drain();
    await bus.nats.close();
    await db.drop();
  });

  test(
    "refuses a known and an unknown organization equally fast",
    async () => {
      const { dependencies } = webhooks;
      const [known, unknown] = [crypto.randomUUID(), crypto.randomUUID()];
      const created_by = { type: "system" as const, id: "test" };
      await createConfig(dependencies, { org_id: known, created_by, source: "planner" });
      const call = (org_id: string) => () =>
        receive(dependencies, { org_id, source: "planner", credential: signed(SECRET, "") }, BODY);
      expect(await call(known)()).toEqual({ status: "unauthorized" });
      await expectAlike(
        [call(known), call(unknown)],
        "an organization with a config or without",
        REFUSING_SHARE,
      );
    },
    TEST_MS,
  );
});
