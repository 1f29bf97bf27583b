import type { Tone } from "../../ui/badge.tsx";
import type { CloudAccount } from "./types.ts";

interface AccountStatus {
  tone: Tone;
  text: string;
  title: string;
}

const STATUSES: Readonly<Record<Exclude<CloudAccount["status"], "failing">, AccountStatus>> = {
  push: { tone: "neutral", text: "Pushed", title: "No credentials: listings are pushed" },
  unverified: { tone: "medium", text: "Not verified", title: "The credentials haven’t been verified yet" },
  ok: { tone: "good", text: "Verified", title: "The credentials can do everything that a scan needs" },
};

/** Returns the most important fact about how an account is read. */
export function statusOf({
  status,
  last_verification: last,
}: Pick<CloudAccount, "status" | "last_verification">): AccountStatus {
  if (status !== "failing") return STATUSES[status];
  const missing = last?.missing_permissions ?? [];
  const title = missing.length > 0 ? `Missing: ${missing.join(", ")}` : "The credentials don’t work";
  return { tone: "critical", text: "Failing", title };
}
