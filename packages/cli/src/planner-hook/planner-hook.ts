import type { JsonObject } from "@leeway/shared/values/json";
import { maskInParts } from "@leeway/analysis/plan/mask-plan";

import { readArguments, HELP, type Given } from "../arguments.ts";
import { Failure, failureOf } from "../failure.ts";
import { help } from "../help.ts";
import { describePruned, fitPlan } from "../plan/fit-plan.ts";
import { readPlan } from "../plan/read-plan.ts";
import type { Terminal } from "../terminal.ts";
import { planEvent } from "./event.ts";
import { post } from "./post.ts";
import { deliverySettings, planSettings, SYNTAX, type PlanSettings } from "./settings.ts";

type Body = Uint8Array<ArrayBuffer>;

/**
 * Runs `leeway planner-hook`: sends a plan to Leeway.
 * @throws {Failure} that explains why it wasn't sent or accepted; with `--soft` only for wrong usage
 */
export async function plannerHook(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(SYNTAX, args);
  if (given.isOn(HELP)) return terminal.print(help(SYNTAX));
  try {
    await run(given, terminal);
  } catch (error) {
    const { message, outcome } = failureOf(error);
    if (!given.isOn("--soft") || outcome === "usage") throw error;
    terminal.log(message);
    terminal.log("the plan wasn't sent; exiting with 0 because of --soft");
  }
}

async function run(given: Given, terminal: Terminal): Promise<void> {
  const settings = planSettings(given, terminal.env);
  const delivery = given.isOn("--dry-run") ? undefined : deliverySettings(given, terminal.env);
  const body = await bodyOf(settings, terminal);
  if (!delivery) return terminal.print(`${new TextDecoder().decode(body)}\n`);
  const userAgent = `leeway-cli/${terminal.version}`;
  const sending = (): ReturnType<typeof post> => post(body, { ...delivery, userAgent }, terminal.log);
  const { status, deliveryId } = await terminal.during("sending the plan", sending);
  if (status === "ignored")
    terminal.log("Leeway ignored this event: compare the versions of leeway and the server");
  terminal.print(`leeway: ${status}, delivery ${deliveryId}\n`);
}

async function bodyOf({ planFile, about, maxBytes }: PlanSettings, terminal: Terminal): Promise<Body> {
  const plan = about.status === "success" ? await planIn(planFile, terminal) : undefined;
  if (!plan || plan["errored"] === true) {
    if (plan) terminal.log("planning failed: sent as a failure, without the plan");
    return encode(planEvent({ ...about, status: "failure" }, new Date()));
  }
  const event = planEvent(about, new Date());
  const { body, pruned } = fitPlan(maskInParts(plan), (plan) => encode({ ...event, plan }), maxBytes);
  const leftOut = describePruned(pruned, maxBytes);
  if (leftOut !== undefined) terminal.log(leftOut);
  return body;
}

async function planIn(file: string | undefined, terminal: Terminal): Promise<JsonObject> {
  if (file === undefined)
    throw new Failure("usage", "--plan or $SHOWFILE is required, unless --status is failure");
  const advice = "Run the planner's show step first, or pass --status failure if planning failed";
  return readPlan(file, terminal, advice);
}

function encode(event: JsonObject): Body {
  return new TextEncoder().encode(JSON.stringify(event));
}
