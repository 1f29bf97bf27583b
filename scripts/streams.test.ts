import { expect, test } from "bun:test";

import { testServers } from "@leeway/shared/testing/testing";
import { join } from "node:path";

const PORT = 20_000 + (process.pid % 10_000);

test("the process that keeps streams shows operators whether it succeeds", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "streams.ts")], {
    env: { ...process.env, NATS_URL: testServers().natsUrl, HEALTH_PORT: `${PORT}` },
    stdout: "ignore",
    stderr: "inherit",
  });
  const shown = (path: string): Promise<string> =>
    fetch(`http://127.0.0.1:${PORT}${path}`).then(
      (answer) => answer.text(),
      () => "",
    );
  try {
    while (!(await shown("/metrics")).includes('leeway_loop_failures{loop="streams"')) await Bun.sleep(50);
    expect(await shown("/metrics")).toContain('leeway_loop_failures{loop="streams",service="streams"} 0');
    expect(JSON.parse(await shown("/readyz"))).toMatchObject({ status: "ready" });
  } finally {
    child.kill();
    await child.exited;
  }
});
