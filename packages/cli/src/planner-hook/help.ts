import { OUTCOMES } from "../failure.ts";
import { DELIVERY_FLAGS, PLAN_FLAGS, SECRET, SECRET_VARIABLE, SWITCHES } from "./flags.ts";

const WIDTH = 26;

/** What `leeway planner-hook --help` prints. */
export function help(): string {
  const flags = Object.entries({ ...PLAN_FLAGS, ...DELIVERY_FLAGS }).map(
    ([name, { value, variables, reads }]) => {
      const origin = variables.map((variable) => `$${variable}`).join("/");
      const fallback = [origin, reads.fallback]
        .filter((each) => each !== "" && each !== "none")
        .join(", else ");
      return line(`${name} ${value}`, reads.describe + (fallback && ` [${fallback}]`));
    },
  );
  const switches = Object.entries(SWITCHES).map(([name, describe]) => line(name, describe));
  return [
    "Usage: leeway planner-hook [flags]",
    "",
    "Sends a plan to Leeway from a planner's workflow step: reduced to what analysis needs, without secrets, signed.",
    "",
    "Flags, and what says the same where they are absent:",
    ...flags,
    ...switches,
    "",
    "Needed in the environment, since arguments can be seen by others:",
    line(SECRET_VARIABLE, SECRET.describe),
    "",
    "Exit codes:",
    ...Object.values(OUTCOMES).map(({ code, says }) => line(String(code), says)),
    "",
  ].join("\n");
}

function line(left: string, right: string): string {
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${right}`
    : `  ${left}\n  ${" ".repeat(WIDTH)}${right}`;
}
