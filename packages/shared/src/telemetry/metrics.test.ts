import { expect, test } from "bun:test";

import { runProgram } from "../testing.ts";

test("metrics are printed for Prometheus, with the service's name and what the process uses", async () => {
  const { stdout, stderr } = await runProgram(`
    import { counter, describeProcess, durations, gauge } from "./telemetry/metrics.ts";
    import { metricsResponse } from "./service.ts";
    describeProcess("inventory");
    counter("things_total", "Things", ["kind"]).inc({ kind: "a" }, 3);
    gauge("open", "Open things", []).set(2);
    durations("work_seconds", "Work", []).observe(0.003);
    const response = await metricsResponse();
    console.log(response.headers.get("content-type"));
    console.log(await response.text());`);
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
