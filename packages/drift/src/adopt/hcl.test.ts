import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { checkCode } from "./hcl.fixture.ts";
import { Call, Raw, writeBlocks, type Block } from "./hcl.ts";

const queue = (attributes: Block["body"]["attributes"], blocks: readonly Block[] = []): Block => ({
  type: "resource",
  labels: ["aws_sqs_queue", "orders"],
  body: { attributes, blocks },
});

describe("written code", () => {
  test("is aligned as terraform fmt aligns it", () => {
    const code = writeBlocks([
      queue(
        [
          ["name", "orders"],
          ["visibility_timeout_seconds", 30],
          ["tags", { Name: "orders", "team:name": "shop" }],
          ["policy", new Call("jsonencode", { Statement: [{ Effect: "Allow", Action: ["sqs:*"] }] })],
          ["kms_master_key_id", new Raw("aws_kms_key.main.id")],
        ],
        [{ type: "timeouts", labels: [], body: { attributes: [["create", "5m"]], blocks: [] } }],
      ),
    ]);
    expect(code).toBe(`resource "aws_sqs_queue" "orders" {
  name                       = "orders"
  visibility_timeout_seconds = 30
  tags = {
    Name        = "orders"
    "team:name" = "shop"
  }
  policy = jsonencode({
    Statement = [
      {
        Effect = "Allow"
        Action = ["sqs:*"]
      },
    ]
  })
  kms_master_key_id = aws_kms_key.main.id

  timeouts {
    create = "5m"
  }
}
`);
  });

  test("starts no template and ends no text, whatever a value contains", async () => {
    const values = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("${var.x}", "%{ if }", '"', "\\", "\n"),
    );
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.dictionary(values, values, { maxKeys: 3 }),
        fc.array(values, { maxLength: 3 }),
        async (one, map, list) => {
          const found = await checkCode(
            writeBlocks([
              queue([
                ["a", one],
                ["b", map],
                ["c", list],
              ]),
            ]),
          );
          expect(found).toEqual({ blocks: ["resource aws_sqs_queue orders"], unformatted: [] });
        },
      ),
      { numRuns: 150 },
    );
  });
});
