import { expect, test } from "bun:test";

import { Glob } from "bun";

import { read, ROOT } from "../docs/repository.ts";

const FILES = [
  "docker-compose.yml",
  "scripts/local/images.ts",
  "packages/cli/ci/github.yml",
  "packages/cli/ci/gitlab.yml",
  "packages/cli/ci/bitbucket-pipelines.yml",
  "templates/plan.yml",
  "action.yml",
  ".github/workflows/release.yml",
  "Dockerfile",
  ...new Glob("deploy/**/*.{yml,yaml}").scanSync({ cwd: ROOT }),
];
const TEXT = (await Promise.all(FILES.map(read))).join("\n");

/** References to images of other publishers. Our own are built here, and their base is Bun. */
const IMAGES = [
  ...TEXT.matchAll(
    /(?:image: |name: |default: |ARG \w+=|"|:-)((?:[\w.-]+\/)*[a-z][\w-]*:v?\d[\w.-]*(?:@\w+:\w+)?)/g,
  ),
]
  .map(([, image = ""]) => image)
  .filter((image) => !image.startsWith("oven/bun:"));

test("every image of another publisher is pinned by digest", () => {
  expect(new Set(IMAGES.map((image) => image.replace(/:.*/, "")))).toEqual(
    new Set([
      "postgres",
      "nats",
      "prom/prometheus",
      "grafana/grafana",
      "jaegertracing/jaeger",
      "ghcr.io/dexidp/dex",
      "hashicorp/terraform",
    ]),
  );
  expect(IMAGES.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});

test("compose, Kubernetes and the tests run the same image of a publisher", () => {
  const versions = Map.groupBy(new Set(IMAGES), (image) => image.replace(/:.*/, ""));
  expect([...versions.values()].filter((images) => images.length > 1)).toEqual([]);
});

test("every action in our workflows is pinned by commit", () => {
  const actions = [...TEXT.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(actions).toHaveLength(7);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});
