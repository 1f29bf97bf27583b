import { expect, test } from "bun:test";

import { testBus } from "../testing.ts";

test("what was said right before a connection is closed arrives", async () => {
  const [listener, speaker] = [await testBus("listener"), await testBus("speaker")];
  const subject = `last-words.${crypto.randomUUID()}`;
  const words = listener.nats.subscribe(subject, { max: 1 });
  await listener.nats.flush();
  speaker.nats.publish(subject, "goodbye");
  await speaker.nats.close();
  for await (const word of words) expect(word.string()).toBe("goodbye");
  await listener.nats.close();
});
