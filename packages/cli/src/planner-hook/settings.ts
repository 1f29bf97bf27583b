import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { loadConfig, type Variable } from "@leeway/shared/config";

import { Failure } from "../failure.ts";
import type { About } from "./event.ts";
import { DELIVERY_FLAGS, PLAN_FLAGS, requireTls, SECRET, SECRET_VARIABLE, SWITCHES } from "./flags.ts";
import type { Delivery } from "./post.ts";

export type Environment = Record<string, string | undefined>;
type Flags = Record<string, { variables: readonly string[]; reads: Variable<unknown> }>;
type Schema = Record<string, Variable<unknown>>;

export interface Arguments {
  /** What flags say, by their names. */
  given: Environment;
  soft: boolean;
  dryRun: boolean;
  allowHttp: boolean;
  help: boolean;
}

export interface PlanSettings {
  planFile: string | undefined;
  about: About;
  maxBytes: number;
}

const FLAGS: Flags = { ...PLAN_FLAGS, ...DELIVERY_FLAGS };

/** @throws {Failure} `usage` for a flag that isn't known or lacks its value. */
export function readArguments(args: string[]): Arguments {
  const options: ParseArgsOptionsConfig = {};
  for (const name of Object.keys(FLAGS)) options[name.slice(2)] = { type: "string" };
  for (const name of Object.keys(SWITCHES)) options[name.slice(2)] = { type: "boolean" };
  const values = asUsage(() => parseArgs({ args, options }).values);
  const isOn = (name: keyof typeof SWITCHES): boolean => values[name.slice(2)] === true;
  return {
    given: Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        typeof value === "string" ? [[`--${name}`, value]] : [],
      ),
    ),
    soft: isOn("--soft"),
    dryRun: isOn("--dry-run"),
    allowHttp: isOn("--allow-http"),
    help: isOn("--help"),
  };
}

/** @throws {Failure} `usage`, which names all that is wrong with what tells of the plan. */
export function planSettings({ given }: Arguments, env: Environment): PlanSettings {
  const values = load(schemaOf(PLAN_FLAGS), given, env);
  return {
    planFile: values["--plan"],
    about: {
      repository: values["--repository"],
      changeRequest: {
        number: values["--pull-number"],
        url: values["--pull-url"],
        head_branch: values["--head-branch"],
        base_branch: values["--base-branch"],
      },
      commitSha: values["--commit"],
      project: { name: values["--project"], dir: values["--dir"], workspace: values["--workspace"] },
      status: values["--status"],
      tool: values["--tool"],
      planner: { name: values["--planner-name"] ?? plannerOf(env), version: values["--planner-version"] },
    },
    maxBytes: values["--max-bytes"],
  };
}

/** @throws {Failure} `usage`, which names all that is wrong with the address and the secret, and quotes neither. */
export function deliverySettings({ given, allowHttp }: Arguments, env: Environment): Delivery {
  const values = load({ ...schemaOf(DELIVERY_FLAGS), [SECRET_VARIABLE]: SECRET }, given, env);
  if (!allowHttp) requireTls(values["--url"]);
  return {
    url: values["--url"],
    secret: values[SECRET_VARIABLE],
    tries: values["--tries"],
    maxSeconds: values["--max-seconds"],
  };
}

function schemaOf<F extends Flags>(flags: F): { [K in keyof F]: F[K]["reads"] } {
  const entries = Object.entries(flags).map(([name, { reads }]) => [name, reads]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry has the name of its own flag
  return Object.fromEntries(entries) as { [K in keyof F]: F[K]["reads"] };
}

/** Flags win over variables, empty ones too: they say that there is none. */
function load<S extends Schema>(
  schema: S,
  given: Environment,
  env: Environment,
): ReturnType<typeof loadConfig<S>> {
  const raw = Object.keys(schema).map((name) => [name, given[name] ?? fromVariables(name, env)]);
  return asUsage(() => loadConfig(schema, Object.fromEntries(raw)));
}

function fromVariables(name: string, env: Environment): string | undefined {
  const values = (FLAGS[name]?.variables ?? [name]).map((variable) => env[variable]);
  return values.every(Boolean) ? values.join("/") : undefined;
}

/** Atlantis tells what it is by a variable that it alone sets. */
function plannerOf(env: Environment): string | undefined {
  return env["ATLANTIS_TERRAFORM_VERSION"] ? "atlantis" : undefined;
}

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure("usage", `${message.replace(/^configuration: /, "")} (see leeway planner-hook --help)`);
  }
}
