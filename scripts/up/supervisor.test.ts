import { describe, expect, test } from "bun:test";

import type { Running } from "../local/running.ts";
import { Supervisor } from "./supervisor.ts";

const TIMING = { atOnceMs: 50, firstPauseMs: 1, longestPauseMs: 4 };

interface Program extends Running {
  die: (code: number) => void;
}

/** Creates programs that run until the test ends or kills them, and records events. */
function workshop() {
  const notes: string[] = [];
  const programs: Program[] = [];
  const supervisor = new Supervisor({
    say: (line) => notes.push(line),
    onStart: async () => undefined,
    lastLines: () => ["alas"],
    timing: TIMING,
  });
  const program = (name: string) => async (): Promise<Program> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const made = {
      identity: { pid: programs.length + 1, startedAt: "", command: name },
      exited: promise,
      die: resolve,
      stop: async () => {
        notes.push(`${name} stops`);
        resolve(0);
      },
    };
    programs.push(made);
    return made;
  };
  const started = async (count: number): Promise<void> => {
    while (programs.length < count) await Bun.sleep(1);
  };
  return { supervisor, notes, programs, program, started };
}

describe("the supervisor", () => {
  test("restarts a program that dies and logs it", async () => {
    const { supervisor, notes, programs, program, started } = workshop();
    await supervisor.keep("a", program("a"));
    expect(supervisor.running()["a"]?.pid).toBe(1);
    programs[0]!.die(3);
    await started(2);
    await Bun.sleep(1);
    expect(supervisor.running()["a"]?.pid).toBe(2);
    expect(notes).toEqual(["a ended (code 3): starting it again in 0.001 s"]);
    await supervisor.stop();
  });

  test("reports starts one at a time, even if programs start together", async () => {
    const reported: string[][] = [];
    let isReporting = false;
    const { program } = workshop();
    const supervisor = new Supervisor({
      say: () => undefined,
      onStart: async () => {
        if (isReporting) throw new Error("onStart ran twice at the same time");
        isReporting = true;
        reported.push(Object.keys(supervisor.running()));
        await Bun.sleep(2);
        isReporting = false;
      },
      lastLines: () => [],
      timing: TIMING,
    });
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => supervisor.keep(name, program(name))));
    expect(reported).toHaveLength(3);
    expect(reported.at(-1)).toEqual(names);
    await supervisor.stop();
  });

  test("stops programs in reverse order and restarts none", async () => {
    const { supervisor, notes, programs, program } = workshop();
    for (const name of ["a", "b", "c"]) await supervisor.keep(name, program(name));
    await supervisor.stop();
    expect(notes).toEqual(["c stops", "b stops", "a stops"]);
    expect(programs.length).toBe(3);
  });

  test("gives up after five immediate exits, with the last output", async () => {
    const { supervisor, programs, program, started } = workshop();
    await supervisor.keep("a", program("a"));
    for (let death = 1; death <= 5; death++) {
      await started(death);
      programs[death - 1]!.die(1);
    }
    expect(supervisor.failed).rejects.toThrow("a ended at once, 5 times in a row; it said:\nalas");
  });

  test("keeps restarting a program that runs for a while each time", async () => {
    const { supervisor, programs, program, started } = workshop();
    await supervisor.keep("a", program("a"));
    for (let death = 1; death <= 7; death++) {
      await started(death);
      await Bun.sleep(TIMING.atOnceMs + 5);
      programs[death - 1]!.die(1);
    }
    await started(8);
    await supervisor.stop();
  });

  test("stops a program that is still starting", async () => {
    const { supervisor, notes, program } = workshop();
    const slow = async () => {
      await Bun.sleep(20);
      return program("slow")();
    };
    const keeping = supervisor.keep("slow", slow);
    await supervisor.stop();
    await keeping;
    expect(notes).toEqual(["slow stops"]);
  });

  test("fails when a program can't be started", async () => {
    const { supervisor } = workshop();
    const impossible = supervisor.keep("a", () => Promise.reject(new Error("no such program")));
    expect(impossible).rejects.toThrow("no such program");
    expect(supervisor.failed).rejects.toThrow("no such program");
  });
});
