import { describe, expect, test } from "bun:test";

import { fails, hangs, resets, type Answer } from "../../services/quota/test/support/model-server.ts";
import { figure } from "./figure.ts";
import { TEST_MS } from "./promised.ts";
import { OTHERS_LIMIT_MS, SHARE, useSlowPeers } from "./slow-peers.ts";

const peers = useSlowPeers();

const MODELS: [string, Answer][] = [
  ["hangs", hangs],
  ["fails", fails(500)],
  ["throttles", fails(429, { "retry-after": "30" })],
  ["breaks off", resets],
];

describe(`each of ${SHARE} concurrent plans`, () => {
  test.each(MODELS)(
    "gets its result though the model %s, without delaying another organization",
    async (how, answer) => {
      peers.model.answerWith(answer);
      const tenant = await peers.newTenant();
      const { statuses, waitMs, allMs } = await peers.beside(tenant, SHARE, {
        narrative: true,
        comment: false,
      });
      figure(
        `a model that ${how}: ${SHARE} results after ${Math.round(allMs)} ms, another organization's after ${Math.round(waitMs)} ms`,
      );
      expect(new Set(statuses)).toEqual(new Set(["done"]));
      expect(waitMs).toBeLessThan(OTHERS_LIMIT_MS);
      const held = await peers.fleet.admin`
        select from quota.reservations where org_id = ${tenant.orgId} and state <> 'released'
      `;
      expect(held).toHaveLength(0);
    },
    TEST_MS,
  );
});
