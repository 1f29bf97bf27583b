import { forgets, updates, type ResourceChange } from "../../plan/model.ts";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isClosedOff } from "../closures.ts";
import { newOpenings, type Opening } from "../openings.ts";
import { attributesAt, isNewRevision, type Rule, type Sighting, type Subject } from "../sighting.ts";
import { doesMore } from "../telling.ts";
import { pathsOf, signsIn } from "../turns.ts";
import { isBesidePath, isNetworkPolicy, isTrafficPath, REACH } from "../types.ts";

/** Of SSH, RDP and databases. */
const SENSITIVE_PORTS = [
  22, 3389, 1433, 1434, 1521, 1830, 2379, 2483, 2484, 3050, 3306, 5432, 5433, 5439, 5984, 6379, 6380, 7000,
  7001, 7199, 7473, 7474, 7687, 8086, 8091, 8123, 8529, 9042, 9160, 9200, 9300, 9440, 10255, 11211, 26257,
  27017, 27018, 27019, 28015, 33060, 50000,
];
const WEB_PORTS = new Set([80, 443]);

/** R08 */
export const changeNetworkPolicy: Rule = ({ change, type, shown, leaves }) => {
  if (forgets(change)) return [];
  const isPolicy = isNetworkPolicy(type);
  const changed = updates(change) || isNewRevision(change) ? leaves : [];
  const material = isPolicy
    ? changed.filter((leaf) => doesMore(type, leaf))
    : signsIn(REACH, type, changed).filter((leaf) => !isClosedOff(type, change, leaf));
  if (material.length === 0 && (changed.length > 0 || !isPolicy)) return [];
  const paths = topPaths(pathsOf(material));
  const where = attributesAt(paths);
  const what = isPolicy ? `this ${shown} lets through` : `the network lets through to this ${shown}`;
  const message = where
    ? `The change of ${where} changes what ${what}.`
    : `${verbOf(change)} this ${shown} changes what the network lets through.`;
  return [{ verdict: "networkPolicyChange", paths, message }];
};

const MOST_PATHS = 20;

/** The first few: a set of blocks that moves differs in each. */
function topPaths(paths: readonly Path[]): Path[] {
  return paths.slice(0, MOST_PATHS);
}

function verbOf({ actions }: ResourceChange): string {
  if (!actions.includes("delete")) return actions.includes("create") ? "Creating" : "Changing";
  return actions.includes("create") ? "Replacing" : "Deleting";
}

/** R09 */
export const exposeToInternet: Rule = (subject) => {
  const { change, type, openedTogether } = subject;
  const openings = [...newOpenings(type, change), ...openedTogether].filter((opening) => !isWeb(opening));
  const sensitive = openings.filter((opening) => SENSITIVE_PORTS.some((port) => holds(opening, port)));
  if (sensitive.length > 0) return [exposure("internetExposureOfAdmin", subject, sensitive)];
  return openings.length > 0 ? [exposure("internetExposure", subject, openings)] : [];
};

function exposure(
  verdict: Sighting["verdict"],
  { shown, openedTogether }: Subject,
  openings: readonly Opening[],
): Sighting {
  const [first, ...others] = [...new Set(openings.map(portText))];
  const ports = others.length > 0 ? `${first} and others` : `${first}`;
  const rule = openings.every((one) => openedTogether.includes(one)) ? "Together with others, a" : "A";
  const message = `${rule} new rule in this ${shown} opens ${ports} to the whole internet.`;
  return { verdict, paths: topPaths(pathsOf(openings)), message };
}

function portText({ from, to }: Opening): string {
  if (from <= 0 && to >= 65_535) return "all ports";
  return from === to ? `port ${from}` : `ports ${from} to ${to}`;
}

function isWeb({ from, to }: Opening): boolean {
  return from === to && WEB_PORTS.has(from);
}

function holds({ from, to }: Opening, port: number): boolean {
  return from <= port && port <= to;
}

/** R15 */
export const changeTrafficPath: Rule = ({ change, type, shown, leaves }) => {
  if (!updates(change) || !isTrafficPath(type)) return [];
  const leading = leaves.filter((leaf) => doesMore(type, leaf) && !isBesidePath(type, leaf.name));
  if (leaves.length > 0 && leading.length === 0) return [];
  const paths = topPaths(pathsOf(leading));
  const what = attributesAt(paths);
  const message = `The change${what ? ` of ${what}` : ""} in this ${shown} can lead traffic elsewhere.`;
  return [{ verdict: "trafficPathChange", paths, message }];
};
