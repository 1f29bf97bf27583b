import { describe, expect, test } from "bun:test";

import { ACCOUNT } from "@leeway/connectors/aws/aws.fixture";
import { declaredQueue, fates, queue, type Org } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";
import { scanning, setQueues } from "./scanning.ts";

const { start } = scanning();

/**
 * Builds the output of `aws resourcegroupstaggingapi get-resources`, which includes resources that no longer have
 * tags.
 */
const tagged = (...names: string[]) => ({
  PaginationToken: "",
  ResourceTagMappingList: names.map((name) => ({
    ResourceARN: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
    Tags: [],
  })),
});
/** A state without tags. */
const jobs = tfstate([declaredQueue("jobs", ACCOUNT)]);
const fateOfJobs = async (org: Org) => (await fates(org))["aws_sqs_queue.jobs"];

const listenerArn = (name: string) =>
  `arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:listener/app/${name}/0123456789abcdef/0123456789abcdef`;
const listener = (name: string) => ({
  type: "aws_lb_listener",
  name,
  attributes: { id: listenerArn(name), arn: listenerArn(name) },
});

describe("an untagged declared resource", () => {
  test("is missing once a tagging listing no longer contains it", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("jobs", account.id), jobs);
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("unobserved");
    await org.pushListing(account, tagged("other", "jobs"));
    expect(await fateOfJobs(org)).toBe("matched");
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("missing");
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("missing");
    expect(await org.posture()).toContainEqual(expect.objectContaining({ missing_count: 1 }));
    await org.pushListing(account, tagged("other", "jobs"));
    expect(await fateOfJobs(org)).toBe("matched");
  });

  test("is missing even if its state came after the listing that contained it", async () => {
    const { org, account } = await start();
    await org.pushListing(account, tagged("other", "jobs"));
    await org.pushState(await org.source("jobs", account.id), jobs);
    expect(await fateOfJobs(org)).toBe("matched");
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("missing");
  });

  test("isn't missing if only a full listing or the rest of a partial one contained it", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("jobs", account.id), jobs);
    await org.pushListing(account, ndjson([queue("jobs", ACCOUNT), queue("other", ACCOUNT)]));
    await org.pushListing(account, { ...tagged("other"), PaginationToken: "more" });
    expect(await fateOfJobs(org)).toBe("matched");
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("unobserved");
  });

  test("isn't missing if another one now has its address", async () => {
    const { org, account } = await start();
    const source = await org.source("jobs", account.id);
    await org.pushState(source, jobs);
    await org.pushListing(account, tagged("other", "jobs"));
    const again = { ...declaredQueue("jobs-2", ACCOUNT), name: "jobs" };
    await org.pushState(source, tfstate([again], { serial: 2 }));
    await org.pushListing(account, tagged("other"));
    expect(await fateOfJobs(org)).toBe("unobserved");
  });

  test("of a type seen only by tags is missing once a scan no longer contains it", async () => {
    const { org, world, scans, account } = await start({ regions: ["eu-west-1"] });
    world.indexed = false;
    setQueues(world, "eu-west-1", ["a"]);
    await org.pushState(await org.source("web"), tfstate([listener("seen"), listener("never")]));
    let shown = ["seen"];
    world.interfere = ({ action }) => {
      if (action !== "tag:GetResources") return undefined;
      const rows = shown.map((name) => ({
        ResourceARN: listenerArn(name),
        Tags: [{ Key: "team", Value: "web" }],
      }));
      return { body: { ResourceTagMappingList: rows, PaginationToken: "" } };
    };
    await scans.run({ account_id: account.id });
    expect(await fates(org)).toEqual({
      "aws_lb_listener.seen": "matched",
      "aws_lb_listener.never": "unobserved",
    });
    shown = [];
    await scans.run({ account_id: account.id });
    expect(await fates(org)).toEqual({
      "aws_lb_listener.seen": "missing",
      "aws_lb_listener.never": "unobserved",
    });
  });
});
