import { expect, test } from "bun:test";

import { hang, redirect, status, type Fault } from "../code-hosts/server.ts";
import { figure } from "./figure.ts";
import { TEST_MS } from "./promised.ts";
import { OTHERS_LIMIT_MS, SHARE, useSlowPeers } from "./slow-peers.ts";

/** Faults of the code hosts, all at the same time. */
const HOSTS: readonly [string, Fault][] = [
  ["hangs", hang],
  ["fails", status(500)],
  ["leads elsewhere", redirect("http://127.0.0.1:1/")],
  ["throttles", status(429, { "retry-after": "30" })],
];

const peers = useSlowPeers({ codeHosts: HOSTS.length });

test(
  `each of ${SHARE} plans gets its result despite a faulty code host, and others aren't delayed`,
  async () => {
    const seen = HOSTS.map(async ([how, fault], index) => {
      const gitlab = peers.gitlabs[index];
      const tenant = await peers.newTenant(gitlab);
      gitlab?.fail(fault);
      const { statuses, waitMs, allMs } = await peers.beside(tenant, SHARE, {});
      figure(
        `a code host that ${how}: ${SHARE} results after ${Math.round(allMs)} ms, another organization's after ${Math.round(waitMs)} ms`,
      );
      expect(new Set(statuses)).toEqual(new Set(["done"]));
      expect(waitMs).toBeLessThan(OTHERS_LIMIT_MS);
    });
    await Promise.all(seen);
  },
  TEST_MS,
);
