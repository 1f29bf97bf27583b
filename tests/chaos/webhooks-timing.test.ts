import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { Running } from "@leeway/shared/service";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { createConfig } from "../../services/webhooks/src/configs/configs.ts";
import type { Dependencies } from "../../services/webhooks/src/handlers.ts";
import { receive } from "../../services/webhooks/src/receiving/receive.ts";
import { verified } from "../../services/webhooks/src/receiving/verify.ts";
import { SCHEMA } from "../../services/webhooks/src/schema.ts";
import { startWebhooks } from "../../services/webhooks/src/start.ts";
import { planEvent, RING, signed } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { compareTimes } from "./welch.ts";

const TRIES = 10_000;
const MOST_T = 4.5;
/** What tells something does so each time, and what else the machine did in one comparison doesn't. */
const MOST_COMPARISONS = 3;
/** The share of its time by which a work may differ from an equal one on other data, for where both lie in memory. */
const COMPARING_SHARE = 0.1;
const REFUSING_SHARE = 0.02;
const TEST_MS = 60_000;
const SECRET = `whsec_${"5".repeat(64)}`;
const BODY = Buffer.from(planEvent());
const CREDENTIALS: Readonly<Record<Source, string>> = { planner: signed(SECRET, BODY), vcs: SECRET };

async function expectAlike(
  works: readonly [() => unknown, () => unknown],
  what: string,
  leastShare = 0,
): Promise<void> {
  const signs = new Set<number>();
  for (let n = 0; n < MOST_COMPARISONS && signs.size < 2; n += 1) {
    const { t, means } = await compareTimes(works, TRIES);
    figure(`${what}: t ${t.toFixed(2)}, means ${means.map((mean) => mean.toFixed(0)).join(" and ")} ns`);
    const share = Math.abs(means[0] - means[1]) / Math.min(...means);
    if (Math.abs(t) < MOST_T || share < leastShare) return;
    signs.add(Math.sign(t));
  }
  // Slower by turns: neither is.
  expect(signs.size).toBe(2);
}

const wrongAt = (text: string, at: number): string =>
  text.slice(0, at) + (text.charAt(at) === "0" ? "1" : "0") + text.slice(at + 1);

describe.each(["planner", "vcs"] as const)(
  "the time in which a call of a %s is refused doesn't tell",
  (source) => {
    const right = CREDENTIALS[source];
    const configs = [{ secrets: [{ raw: SECRET, expiresAt: Infinity }] }];
    const check = (known: typeof configs, credential: string) => () =>
      verified(known, { source, credential, body: BODY, now: 0 });

    test(
      "how far its credential is right",
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
      "whether there is a secret to compare it with",
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
  },
);

describe("the service", () => {
  let db: TestDatabase;
  let bus: BusConnection;
  let webhooks: Running & { dependencies: Dependencies };

  beforeAll(async () => {
    db = await testDatabase([SCHEMA]);
    bus = await testBus("timing");
    const platform = { database: db.open(SCHEMA.service), bus, log: testLog() };
    const publicBaseUrl = "https://leeway.example.com";
    const settings = { ring: RING, replicas: 1, publicBaseUrl, egressAllow: [], dedupeHours: 24 };
    webhooks = await startWebhooks(platform, settings);
  }, TEST_MS);

  afterAll(async () => {
    await webhooks.drain();
    await bus.nats.close();
    await db.drop();
  });

  test(
    "refuses an organization that there is no sooner or later than one that there isn't",
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
