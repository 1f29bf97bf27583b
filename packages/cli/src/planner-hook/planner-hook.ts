import { readFile } from "node:fs/promises";

import type { JsonObject } from "@leeway/shared/json";
import { maskInParts, type Pruned } from "@leeway/shared/plan/mask-plan";

import { Failure, failureOf } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { planEvent } from "./event.ts";
import { fitPlan, STEPS } from "./fit.ts";
import { help } from "./help.ts";
import { parsePlan } from "./plan.ts";
import { post } from "./post.ts";
import {
  deliverySettings,
  planSettings,
  readArguments,
  type Arguments,
  type PlanSettings,
} from "./settings.ts";

type Body = Uint8Array<ArrayBuffer>;

/**
 * `leeway planner-hook`: sends a plan to Leeway.
 * @throws {Failure} that says why it wasn't taken; with `--soft` only for wrong usage.
 */
export async function plannerHook(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(args);
  if (given.help) return terminal.print(help());
  try {
    await run(given, terminal);
  } catch (error) {
    const { message, outcome } = failureOf(error);
    if (!given.soft || outcome === "usage") throw error;
    terminal.tell(message);
    terminal.tell("the plan was not sent; ends with 0 all the same, because of --soft");
  }
}

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const settings = planSettings(given, terminal.env);
  const delivery = given.dryRun ? undefined : deliverySettings(given, terminal.env);
  const body = await bodyOf(settings, terminal);
  if (!delivery) return terminal.print(`${new TextDecoder().decode(body)}\n`);
  const userAgent = `leeway-cli/${terminal.version}`;
  const { status, deliveryId } = await post(body, { ...delivery, userAgent }, terminal.tell);
  if (status === "ignored") terminal.tell("Leeway can't use this event: compare the versions of both");
  terminal.print(`leeway: ${status}, delivery ${deliveryId}\n`);
}

async function bodyOf({ planFile, about, maxBytes }: PlanSettings, terminal: Terminal): Promise<Body> {
  const plan = about.status === "success" ? parsePlan(await readPlan(planFile, terminal)) : undefined;
  if (!plan || plan["errored"] === true) {
    if (plan) terminal.tell("the plan ended with an error: sent as a failure, without what it holds");
    return encode(planEvent({ ...about, status: "failure" }, new Date()));
  }
  const event = planEvent(about, new Date());
  const { body, pruned } = fitPlan(maskInParts(plan), (plan) => encode({ ...event, plan }), maxBytes);
  for (const each of pruned) terminal.tell(describe(each));
  return body;
}

async function readPlan(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file === undefined)
    throw new Failure("usage", "name the plan with --plan or SHOWFILE, or say --status failure");
  if (file === "-") return terminal.readInput();
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const advice = "run the planner's show step before, or say --status failure where planning failed";
    throw new Failure("plan_unreadable", `the plan can't be read from ${file}: ${advice}`, { cause: error });
  }
}

function encode(event: JsonObject): Body {
  return new TextEncoder().encode(JSON.stringify(event));
}

function describe({ step, count }: Pruned): string {
  const leavesOut = STEPS.find(({ name }) => name === step)?.leavesOut ?? "";
  return `the plan is too large, so this stays behind: ${leavesOut} (${step}, ${count})`;
}
