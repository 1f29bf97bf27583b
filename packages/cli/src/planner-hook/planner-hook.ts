import type { JsonObject } from "@leeway/shared/json";
import { maskInParts } from "@leeway/shared/plan/mask-plan";

import { readArguments, HELP, type Given } from "../arguments.ts";
import { Failure, failureOf } from "../failure.ts";
import { help } from "../help.ts";
import { fitPlan, describePruned } from "../plan/fit-plan.ts";
import { readPlan } from "../plan/read-plan.ts";
import type { Terminal } from "../terminal.ts";
import { planEvent } from "./event.ts";
import { post } from "./post.ts";
import { deliverySettings, planSettings, SYNTAX, type PlanSettings } from "./settings.ts";

type Body = Uint8Array<ArrayBuffer>;

/**
 * `leeway planner-hook`: sends a plan to Leeway.
 * @throws {Failure} that says why it wasn't taken; with `--soft` only for wrong usage.
 */
export async function plannerHook(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(SYNTAX, args);
  if (given.isOn(HELP)) return terminal.print(help(SYNTAX));
  try {
    await run(given, terminal);
  } catch (error) {
    const { message, outcome } = failureOf(error);
    if (!given.isOn("--soft") || outcome === "usage") throw error;
    terminal.tell(message);
    terminal.tell("the plan was not sent; ends with 0 all the same, because of --soft");
  }
}

async function run(given: Given, terminal: Terminal): Promise<void> {
  const settings = planSettings(given, terminal.env);
  const delivery = given.isOn("--dry-run") ? undefined : deliverySettings(given, terminal.env);
  const body = await bodyOf(settings, terminal);
  if (!delivery) return terminal.print(`${new TextDecoder().decode(body)}\n`);
  const userAgent = `leeway-cli/${terminal.version}`;
  const { status, deliveryId } = await post(body, { ...delivery, userAgent }, terminal.tell);
  if (status === "ignored") terminal.tell("Leeway can't use this event: compare the versions of both");
  terminal.print(`leeway: ${status}, delivery ${deliveryId}\n`);
}

async function bodyOf({ planFile, about, maxBytes }: PlanSettings, terminal: Terminal): Promise<Body> {
  const plan = about.status === "success" ? await planIn(planFile, terminal) : undefined;
  if (!plan || plan["errored"] === true) {
    if (plan) terminal.tell("the plan ended with an error: sent as a failure, without what it holds");
    return encode(planEvent({ ...about, status: "failure" }, new Date()));
  }
  const event = planEvent(about, new Date());
  const { body, pruned } = fitPlan(maskInParts(plan), (plan) => encode({ ...event, plan }), maxBytes);
  for (const each of pruned) terminal.tell(describePruned(each));
  return body;
}

async function planIn(file: string | undefined, terminal: Terminal): Promise<JsonObject> {
  if (file === undefined)
    throw new Failure("usage", "name the plan with --plan or SHOWFILE, or say --status failure");
  const advice = "run the planner's show step before, or say --status failure where planning failed";
  return readPlan(file, terminal, advice);
}

function encode(event: JsonObject): Body {
  return new TextEncoder().encode(JSON.stringify(event));
}
