import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import {
  fullName,
  inProject,
  isNumber,
  locationOf,
  parseName,
  projectOf,
  regionOf,
  resourceName,
} from "./resource-name.ts";

function canonical(text: string, service?: string): string | undefined {
  const name = parseName(text, service);
  return name && fullName(name);
}

describe("one resource has one canonical name", () => {
  test.each([
    [
      "from old, current and beta URLs of Compute Engine",
      [
        "//compute.googleapis.com/projects/p/zones/z/instances/i",
        "https://compute.googleapis.com/compute/v1/projects/p/zones/z/instances/i",
        "https://www.googleapis.com/compute/v1/projects/p/zones/z/instances/i",
        "https://www.googleapis.com/compute/beta/projects/p/zones/z/instances/i",
      ],
    ],
    [
      "from a zonal cluster's zone and location",
      [
        "//container.googleapis.com/projects/p/locations/us-central1-a/clusters/c",
        "//container.googleapis.com/projects/p/zones/us-central1-a/clusters/c",
        "//container.googleapis.com/v1/projects/p/locations/us-central1-a/clusters/c",
        "https://container.googleapis.com/v1beta1/projects/p/zones/us-central1-a/clusters/c",
      ],
    ],
    [
      "from cloudsql and sqladmin",
      [
        "//sqladmin.googleapis.com/projects/p/instances/db",
        "//cloudsql.googleapis.com/projects/p/instances/db",
        "https://sqladmin.googleapis.com/sql/v1beta4/projects/p/instances/db",
        "https://www.googleapis.com/sql/v1beta4/projects/p/instances/db",
      ],
    ],
    [
      "from a bucket with and without its collection",
      [
        "//storage.googleapis.com/assets",
        "//storage.googleapis.com/projects/_/buckets/assets",
        "https://www.googleapis.com/storage/v1/b/assets",
      ],
    ],
    [
      "from both forms of an App Engine application",
      [
        "//appengine.googleapis.com/apps/p",
        "//appengine.googleapis.com/projects/p/locations/us-central1/applications/p",
      ],
    ],
    [
      "from a log metric with a slash in its name",
      [
        "//logging.googleapis.com/projects/p/metrics/http/errors",
        "//logging.googleapis.com/projects/p/metrics/http%2Ferrors",
      ],
    ],
    [
      "from a regional endpoint",
      [
        "//aiplatform.googleapis.com/projects/p/locations/us-central1/endpoints/1",
        "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/endpoints/1",
      ],
    ],
  ])("%s", (_, [first = "", ...others]) => {
    for (const other of others) expect(canonical(other)).toBe(first);
  });

  test("from a Cloud Run namespace", () => {
    expect(canonical("locations/us-east1/namespaces/p/services/web", "run.googleapis.com")).toBe(
      "//run.googleapis.com/projects/p/locations/us-east1/services/web",
    );
  });

  test("but not across two services", () => {
    const paths = ["redis.googleapis.com", "memcache.googleapis.com"].map((service) =>
      canonical("projects/p/locations/l/instances/i", service),
    );
    expect(new Set(paths).size).toBe(2);
  });
});

test.each([
  ["a bare word", "web"],
  ["a number", "4711"],
  ["a path without its service", "projects/p/topics/t"],
  ["a service without a path", "//pubsub.googleapis.com"],
  ["a service with an empty path", "//pubsub.googleapis.com/"],
  ["a URL of another host", "https://example.com/compute/v1/projects/p"],
  ["a URL without a version", "https://storage.googleapis.com/assets/logo.png"],
  ["an email address", "ci@p.iam.gserviceaccount.com"],
])("%s isn't a full name", (_, text) => {
  expect(parseName(text)).toBeUndefined();
});

test.each([
  ["projects/example.com:shop/topics/t", "example.com:shop"],
  ["projects/{{.Provider.project}}/topics/t", "{{.Provider.project}}"],
  ["apps/shop/services/default", "shop"],
  ["folders/12/sinks/s", undefined],
  ["assets", undefined],
])("the project of %s is %s", (path, project) => {
  expect(projectOf(path)).toBe(project);
});

test.each([
  ["projects/p/zones/Us-Central1-A/disks/d", "us-central1-a", "us-central1"],
  ["projects/p/regions/europe-west4/addresses/a", "europe-west4", "europe-west4"],
  ["projects/p/locations/us/keyRings/k", "us", "us"],
  ["projects/p/global/networks/n", "global", undefined],
  ["projects/p/locations/global/keyRings/k", "global", undefined],
  ["projects/p/topics/t", undefined, undefined],
])("%s is in %s", (path, location, region) => {
  expect(locationOf(path)).toBe(location);
  expect(regionOf(locationOf(path))).toBe(region);
});

test("a project id replaces only the number of the project", () => {
  expect(inProject("projects/12/topics/12", "shop")).toBe("projects/shop/topics/12");
  expect(inProject("projects/12", "shop")).toBe("projects/shop");
  expect(inProject("folders/12", "shop")).toBe("folders/12");
  expect(isNumber("12") && !isNumber("p12")).toBe(true);
});

describe("any text", () => {
  test("is read or refused without throwing", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("//", "https://", "projects/", ""),
        (rest, start) => {
          parseName(start + rest, "run.googleapis.com");
          regionOf(locationOf(start + rest));
        },
      ),
    );
  });

  test("doesn't change if it is a canonical name", () => {
    const segment = fc.stringMatching(/^[a-z][a-z\d._:-]{0,12}$/);
    const service = fc.constantFrom(
      "compute",
      "container",
      "run",
      "storage",
      "appengine",
      "dataproc",
      "logging",
    );
    fc.assert(
      fc.property(service, fc.array(segment, { minLength: 1, maxLength: 8 }), (api, path) => {
        const once = resourceName(`${api}.googleapis.com`, `projects/${path.join("/")}`);
        expect(resourceName(once.service, once.path)).toEqual(once);
      }),
    );
  });
});
