import type { Answer } from "../../api/client.ts";
import { sentence } from "../../api/failure.ts";
import type { DriftChange } from "./change.tsx";

export type Settlement = Answer<"POST /orgs/{id}/drift-changes/{fingerprint}/settlement">;
export type Way = Settlement["how"];
export type Request = NonNullable<Settlement["change_request"]>;

/** Ways to settle each kind of change, in the order in which they are offered. */
export const WAYS_OF: Readonly<Record<DriftChange["kind"], readonly Way[]>> = {
  changed: ["accept", "revert"],
  missing: ["revert", "forget"],
  undeclared: ["adopt"],
  pending: [],
};

interface WayWords {
  title: string;
  text: string;
  /** Label of the button that asks for it. */
  action: string;
}

export const WAYS: Readonly<Record<Way, WayWords>> = {
  accept: {
    title: "Accept",
    text: "Change the code so that it says what is live.",
    action: "Show patch",
  },
  revert: {
    title: "Revert",
    text: "Restore what the code says.",
    action: "Show commands",
  },
  forget: {
    title: "Forget",
    text: "Remove the resource from the code and the state. This destroys nothing.",
    action: "Show patch",
  },
  adopt: {
    title: "Adopt",
    text: "Write code for the resource, with the block that imports it.",
    action: "Write code",
  },
};

/** Returns what a code host calls a change request. `at` is its host or the address of a request. */
export function requestName(at = ""): string {
  if (/github|\/pull\//.test(at)) return "pull request";
  return /gitlab|\/merge_requests\//.test(at) ? "merge request" : "change request";
}

const OUTCOMES: Readonly<Record<Request["status"], string>> = {
  created: "opened",
  updated: "updated",
  unchanged: "has this change",
  closed: "closed",
  refused: "not opened",
};

/** Says what became of a request. @param name what the code host calls it */
export function requestTitle(name: string, status: Request["status"]): string {
  return sentence(`${name} ${OUTCOMES[status]}`);
}

/** Returns a name of a file for a change's patch. */
export function patchName(way: Way, resource: string): string {
  const name = resource.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${way}-${name}.patch`;
}
