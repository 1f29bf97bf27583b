import { expect, test } from "bun:test";

import { runProgram } from "../../testing/testing.ts";

test("metrics are in Prometheus format, with the service's name and process figures", async () => {
  const { stdout, stderr } = await runProgram(`
    import { counter, describeProcess, durations, gauge, registry } from "../platform/telemetry/metrics.ts";
    describeProcess("inventory");
    counter("things_total", "Things", ["kind"]).inc({ kind: "a" }, 3);
    gauge("open", "Open things", []).set(2);
    durations("work_seconds", "Work", []).observe(0.003);
    console.log(registry.contentType);
    console.log(await registry.metrics());`);
  expect(stderr).toBe("");
  for (const line of [
    "text/plain; version=0.0.4; charset=utf-8",
    "# HELP leeway_things_total Things",
    'leeway_things_total{kind="a",service="inventory"} 3',
    'leeway_open{service="inventory"} 2',
    'leeway_work_seconds_bucket{le="0.005",service="inventory"} 1',
    'leeway_work_seconds_count{service="inventory"} 1',
  ])
    expect(stdout.split("\n")).toContain(line);
  expect(stdout).toMatch(/process_resident_memory_bytes\{service="inventory"\} \d{6,}/);
});
