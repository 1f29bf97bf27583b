/** Lists what nobody could work off, oldest first: `NATS_URL`. */
import { connectBus } from "@leeway/shared/bus/connection";
import { listDeadLetters, type DeadLetter } from "@leeway/shared/bus/dead-letters";
import { loadConfig, text } from "@leeway/shared/config";
import { createLogger } from "@leeway/shared/log";
import { redactText } from "@leeway/shared/redact";

const PAGE = 100;
const LONGEST = 1_000;

async function main(): Promise<void> {
  const { NATS_URL: url } = loadConfig({ NATS_URL: text("NATS, as the services have it") }, process.env);
  const bus = await connectBus({ url, name: "dead-letters", log: createLogger("dead-letters", "warn") });
  let count = 0;
  let page: DeadLetter[];
  let afterSequence = 0;
  do {
    page = await listDeadLetters(bus, { afterSequence, limit: PAGE });
    for (const letter of page) console.log(inWords(letter));
    count += page.length;
    afterSequence = page.at(-1)?.sequence ?? 0;
  } while (page.length === PAGE);
  console.log(count === 0 ? "No dead letters." : `${count} dead letters.`);
  await bus.nats.close();
}

function inWords({
  sequence,
  at,
  subject,
  durable,
  attempts,
  reason,
  requestId,
  payload,
}: DeadLetter): string {
  // It may be anything: no control character of it is for the terminal.
  const shown = redactText(payload)
    .slice(0, LONGEST)
    .replaceAll(/\p{Cc}/gu, " ");
  return (
    `${sequence}  ${at}  ${durable} gave up ${subject} at attempt ${attempts}: ${reason}\n` +
    `    request ${requestId}, payload ${shown}`
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
