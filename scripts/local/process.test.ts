import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { launchersOf } from "./launchers.ts";
import { freePort, isPortFree } from "./ports.ts";
import { identityOf, inspectProcess, isRunning, stopLeftover, stopProcess } from "./process.ts";

describe("a process", () => {
  test("is identified by pid, start time and command", () => {
    const self = identityOf(process.pid)!;
    expect(isRunning(self)).toBe(true);
    expect(isRunning({ ...self, startedAt: "1" })).toBe(false);
    expect(isRunning({ ...self, command: "another" })).toBe(false);
    expect(inspectProcess(process.pid)?.parentPid).toBe(process.ppid);
  });

  test.each([0, -1, Number.NaN, 2 ** 31 - 1])("with the pid %p doesn't exist", (pid) => {
    expect(inspectProcess(pid)).toBeUndefined();
  });

  test("that has ended counts as gone even before its parent reaps it", async () => {
    const parent = Bun.spawn(["sh", "-c", "sleep 0 & echo $!; exec sleep 60"], { stdout: "pipe" });
    const { value } = await parent.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    await Bun.sleep(100);
    expect(existsSync(`/proc/${pid}`) && inspectProcess(pid)).toBeFalsy();
    parent.kill("SIGKILL");
  });

  test("that ignores SIGTERM is killed after the grace period", async () => {
    const child = Bun.spawn(["sh", "-c", "trap '' TERM; echo deaf; sleep 60 & wait; wait"], {
      stdout: "pipe",
    });
    await child.stdout.getReader().read();
    await stopProcess(identityOf(child.pid)!, undefined, 100);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
  });

  test("left behind is stopped only if its command contains our path", async () => {
    const dir = await mkdtemp(join(tmpdir(), "leeway-process-"));
    const pidFile = join(dir, "pid");
    const child = Bun.spawn(["sh", "-c", "exec sleep 61"]);
    while (inspectProcess(child.pid)?.command !== "sleep 61") await Bun.sleep(5);

    await writeFile(pidFile, `${child.pid}\nmore lines`);
    await stopLeftover(pidFile, join(dir, "data"));
    expect(inspectProcess(child.pid)).toBeDefined();
    await stopLeftover(pidFile, "sleep 61");
    expect(inspectProcess(child.pid)).toBeUndefined();
    await rm(dir, { recursive: true });
  });
});

describe("launchers", () => {
  test("are npx, bun run and the shells above a program, but not the user's own shell", async () => {
    const dir = await mkdtemp(join(tmpdir(), "leeway-launch-"));
    await writeFile(
      join(dir, "package.json"),
      JSON.stringify({ scripts: { nap: "true && sh -c 'echo $$; exec sleep 60'" } }),
    );
    const outer = Bun.spawn(["sh", "-c", `${process.execPath} run nap; true`], { cwd: dir, stdout: "pipe" });
    const { value } = await outer.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    const launchers = launchersOf(pid);
    expect(launchers.at(-1)?.command).toEndWith("run nap");
    expect(launchers.map((launcher) => launcher.pid)).not.toContain(outer.pid);
    process.kill(pid, "SIGKILL");
    await outer.exited;
    await rm(dir, { recursive: true });
  });

  test("don't exist for a program started directly", () => {
    const child = Bun.spawn(["sleep", "60"]);
    expect(launchersOf(child.pid).map(({ pid }) => pid)).not.toContain(process.pid);
    child.kill("SIGKILL");
  });
});

describe("a port", () => {
  test("in use isn't free, and another is chosen instead", async () => {
    const port = await freePort();
    expect(await isPortFree(port)).toBe(true);
    expect(await freePort(port)).toBe(port);
    using server = Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    expect(await isPortFree(server.port, "0.0.0.0")).toBe(false);
    expect(await freePort(port)).not.toBe(port);
  });
});
