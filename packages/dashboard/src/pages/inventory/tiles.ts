import { hierarchy, treemap } from "d3-hierarchy";

/** A group of live resources. */
export interface Group {
  key: string;
  name: string;
  live: number;
  /** Number of live resources without a declaration. */
  undeclared: number;
}

/** A group with its place, in percent of the width and height. */
export interface Tile extends Group {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Name of the group of all that are too small for tiles of their own. */
export const OTHERS = "";

/** Returns the share of a group that is declared, in percent. */
export function coverageOf({ live, undeclared }: Group): number {
  return live === 0 ? 100 : (100 * (live - undeclared)) / live;
}

/** Keeps the `most` largest groups, and adds up the others. */
export function largest(groups: readonly Group[], most: number): Group[] {
  const sorted = groups.filter(({ live }) => live > 0).toSorted((a, b) => b.live - a.live);
  const rest = sorted.slice(most);
  if (rest.length === 0) return sorted;
  const sum = (of: (group: Group) => number): number => rest.reduce((total, group) => total + of(group), 0);
  const others = {
    key: OTHERS,
    name: `${rest.length} others`,
    live: sum(({ live }) => live),
    undeclared: sum(({ undeclared }) => undeclared),
  };
  return [...sorted.slice(0, most), others];
}

/** Lays out groups by their number of live resources in a rectangle whose width is `aspect` times its height. */
export function tilesOf(groups: readonly Group[], aspect: number): Tile[] {
  const root = hierarchy<{ children?: readonly Group[]; live?: number }>({ children: groups }).sum(
    ({ live = 0 }) => live,
  );
  const laid = treemap<{ children?: readonly Group[]; live?: number }>().size([100 * aspect, 100])(root);
  return (laid.children ?? []).map(({ x0, x1, y0, y1 }, at) => ({
    ...(groups[at] ?? { key: OTHERS, name: "", live: 0, undeclared: 0 }),
    left: x0 / aspect,
    width: (x1 - x0) / aspect,
    top: y0,
    height: y1 - y0,
  }));
}
