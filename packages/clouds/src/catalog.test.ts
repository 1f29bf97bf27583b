import { describe, expect, test } from "bun:test";

import { NORMALIZED_TYPES } from "@leeway/shared/contracts/inventory/normalized-types";
import fc from "fast-check";

import { openCatalog } from "./catalog.ts";

const HEADER = "type\tnormalized\tterraform\tpath\tids\tname\tlosses\tlisted";
const QUEUE = "AWS::SQS::Queue\tqueue\taws_sqs_queue,awscc_sqs_queue\tsqs:{id}\turl\tname\tstateful\tyes";

describe("a catalog table", () => {
  test("is searched by cloud type in any case and by every Terraform type of a row", () => {
    const catalog = openCatalog(`${HEADER}\n# queues\n${QUEUE}\n`);
    expect(catalog.byType("aws::sqs::queue")?.normalized).toBe("queue");
    expect(catalog.byTerraform("awscc_sqs_queue")?.terraform[0]).toBe("aws_sqs_queue");
    expect(catalog.byTerraform("aws_sns_topic")).toBeUndefined();
  });

  test("refuses a row with an unknown normalized type", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_]{1,20}$/), (word) => {
        fc.pre(!(NORMALIZED_TYPES as readonly string[]).includes(word));
        const catalog = openCatalog(`${HEADER}\n${QUEUE.replace("\tqueue\t", `\t${word}\t`)}`);
        expect(() => catalog.entries).toThrow(word);
      }),
    );
  });

  test("lists all losses, the worst first, and the Terraform types whose destruction deletes nothing", () => {
    const row = QUEUE.replace("\tstateful\t", "\tstateful,serving,!awscc_sqs_queue\t");
    expect(openCatalog(`${HEADER}\n${row}`).byTerraform("aws_sqs_queue")).toMatchObject({
      loss: "stateful",
      losses: ["stateful", "serving"],
      harmless: ["awscc_sqs_queue"],
    });
    const invalid = openCatalog(`${HEADER}\n${row.replace("serving", "annoying")}`);
    expect(() => invalid.byType("AWS::SQS::Queue")).toThrow("annoying");
  });

  test("prefers the first of two rows with the same Terraform type", () => {
    const again = QUEUE.replace("AWS::SQS::Queue", "AWS::SQS::OtherQueue");
    const catalog = openCatalog(`${HEADER}\n${QUEUE}\n${again}\n`);
    expect(catalog.byTerraform("aws_sqs_queue")?.type).toBe("AWS::SQS::Queue");
    expect(catalog.byType("AWS::SQS::OtherQueue")?.type).toBe("AWS::SQS::OtherQueue");
  });

  test("refuses a different header", () => {
    expect(() => openCatalog(QUEUE).entries).toThrow("a catalog must start with");
  });
});
