import type { Tone } from "../../ui/badge.tsx";
import type { CloudAccount } from "./types.ts";

interface Standing {
  tone: Tone;
  text: string;
  title: string;
}

const STANDINGS: Readonly<Record<Exclude<CloudAccount["status"], "failing">, Standing>> = {
  push: { tone: "neutral", text: "Pushed", title: "It has no credentials: somebody pushes what runs in it" },
  unverified: { tone: "medium", text: "Not verified", title: "Nobody has tried its credentials yet" },
  ok: { tone: "good", text: "Verified", title: "Its credentials are good for all that a scan needs" },
};

/** What most needs to be known of how an account is read. */
export function standingOf({
  status,
  last_verification: last,
}: Pick<CloudAccount, "status" | "last_verification">): Standing {
  if (status !== "failing") return STANDINGS[status];
  const missing = last?.missing_permissions ?? [];
  const title = missing.length > 0 ? `Missing: ${missing.join(", ")}` : "Its credentials don’t work";
  return { tone: "critical", text: "Failing", title };
}
