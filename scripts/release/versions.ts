import { isObject, text } from "@leeway/shared/values/json";
import { Glob } from "bun";
import { join } from "node:path";

/** Files with the version, and where in them it is. */
const PLACES: readonly (readonly [files: string, version: RegExp])[] = [
  [
    "{,packages/*/,packages/drift/knowledge/,services/*/}package.json",
    /(?<=^ {2}"version": ")[^"]+(?=",$)/gm,
  ],
  ["deploy/helm/leeway/Chart.yaml", /(?<=^(?:version|appVersion): )\S+/gm],
  ["Dockerfile", /(?<=^ARG VERSION=)\S+/gm],
  ["deploy/kubernetes/overlays/production/kustomization.yaml", /(?<=newTag: )[\w.]+/g],
];

/** Returns the version in `package.json`, which all other files follow. */
export async function versionIn(root: string): Promise<string> {
  const manifest: unknown = await Bun.file(join(root, "package.json")).json();
  return (isObject(manifest) && text(manifest, "version")) || "";
}

/** Writes `version` to every file. */
export async function withVersion(root: string, version: string): Promise<void> {
  for (const { path, content, place } of await files(root)) {
    await Bun.write(join(root, path), content.replaceAll(place, version));
  }
}

/** Returns the files that have another version, as sentences. */
export async function misfits(root: string, version: string): Promise<string[]> {
  return (await files(root)).flatMap(({ path, content, place }) => {
    const found = [...new Set(content.match(place))];
    if (found.length === 0) return [`${path} has no version`];
    return found.filter((one) => one !== version).map((one) => `${path} has version ${one}, not ${version}`);
  });
}

interface Versioned {
  path: string;
  content: string;
  place: RegExp;
}

async function files(root: string): Promise<Versioned[]> {
  const found = PLACES.flatMap(([glob, place]) =>
    [...new Glob(glob).scanSync(root)].toSorted().map((path) => ({ path, place })),
  );
  return Promise.all(
    found.map(async ({ path, place }) => ({ path, place, content: await Bun.file(join(root, path)).text() })),
  );
}

const UNRELEASED = "## [Unreleased]\n";

/** Puts everything unreleased under a heading with the version and date. */
export function headed(changelog: string, version: string, date: string): string {
  if (!changelog.includes(UNRELEASED)) throw new Error("CHANGELOG.md has no part [Unreleased]");
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

/** Returns the changelog's part of a version, without its heading; empty if there is none. */
export function notesOf(changelog: string, version: string): string {
  const part = changelog.split(/^## /m).find((each) => each.startsWith(`[${version}]`)) ?? "";
  return part.split("\n").slice(1).join("\n").trim();
}
