import { LIVE_RESOURCE } from "./common.ts";

const QUEUE = `# Adopted from aws:123456789012, region eu-west-1. Configure the provider for the same.
# Needs Terraform 1.5 or newer. Before you apply, \`terraform plan\` must show imports and no other changes.

import {
  to = aws_sqs_queue.orders
  id = "https://sqs.eu-west-1.amazonaws.com/123456789012/orders"
}

resource "aws_sqs_queue" "orders" {
  name                       = "orders"
  visibility_timeout_seconds = 60
}
`;

export const ADOPTION = {
  files: [{ path: "adopted.tf", content: QUEUE }],
  resources: [
    {
      resource_id: LIVE_RESOURCE.id,
      address: "aws_sqs_queue.orders",
      import_id: "https://sqs.eu-west-1.amazonaws.com/123456789012/orders",
      status: "complete",
      omitted: [],
      references: [],
    },
  ],
  counts: { complete: 1, partial: 0, refused: 0 },
};
