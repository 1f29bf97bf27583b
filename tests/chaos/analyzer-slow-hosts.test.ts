import { describe, expect, test } from "bun:test";

import { hang, redirect, status, type Fault } from "../code-hosts/server.ts";
import { figure } from "./figure.ts";
import { HUNG_LIMIT_MS, JOBS, OTHERS_LIMIT_MS, useSlowPeers } from "./slow-peers.ts";

const peers = useSlowPeers();

const HOSTS: [string, Fault][] = [
  ["hangs", hang],
  ["fails", status(500)],
  ["throttles", status(429, { "retry-after": "30" })],
  ["leads elsewhere", redirect("http://127.0.0.1:1/")],
];

describe(`of ${JOBS} plans at once`, () => {
  test.each(HOSTS)(
    "each has its result though the code host %s, and another organization's doesn't wait",
    async (how, fault) => {
      const tenant = await peers.newTenant();
      peers.gitlab.fail(fault);
      const { statuses, waitMs, allMs } = await peers.beside(tenant, {});
      figure(
        `a code host that ${how}: ${JOBS} results after ${Math.round(allMs)} ms, another organization's after ${Math.round(waitMs)} ms`,
      );
      expect(new Set(statuses)).toEqual(new Set(["done"]));
      expect(waitMs).toBeLessThan(OTHERS_LIMIT_MS);
    },
    HUNG_LIMIT_MS,
  );
});
