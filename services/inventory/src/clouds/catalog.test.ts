import { describe, expect, test } from "bun:test";

import { NORMALIZED_TYPES } from "@leeway/shared/contracts/inventory/resources";
import fc from "fast-check";

import { parseCatalog } from "./catalog.ts";

const HEADER = "type\tnormalized\tterraform\tpath\tids\tname\tloss\tlisted";
const QUEUE = "AWS::SQS::Queue\tqueue\taws_sqs_queue,awscc_sqs_queue\tsqs:{id}\turl\tname\tstateful\tyes";

describe("a catalog table", () => {
  test("is found by the cloud's type in any case, and by every Terraform type of the row", () => {
    const catalog = parseCatalog(`${HEADER}\n# queues\n${QUEUE}\n`);
    expect(catalog.byType("aws::sqs::queue")?.normalized).toBe("queue");
    expect(catalog.byTerraform("awscc_sqs_queue")?.terraform[0]).toBe("aws_sqs_queue");
    expect(catalog.byTerraform("aws_sns_topic")).toBeUndefined();
  });

  test("refuses a row whose normalized type is none of ours", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_]{1,20}$/), (word) => {
        fc.pre(!(NORMALIZED_TYPES as readonly string[]).includes(word));
        expect(() => parseCatalog(`${HEADER}\n${QUEUE.replace("\tqueue\t", `\t${word}\t`)}`)).toThrow(word);
      }),
    );
  });

  test("refuses a header that isn't the agreed one", () => {
    expect(() => parseCatalog(QUEUE)).toThrow("a catalog starts with");
  });
});
