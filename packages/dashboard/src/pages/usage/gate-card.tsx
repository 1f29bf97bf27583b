import type { ReactNode } from "react";

import { Badge, type Tone } from "../../ui/badge.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Meter } from "../../ui/meter.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { gateOf, type Gate } from "./gate.ts";

interface GateCardProps {
  name: string;
  /** Plan of the organization's contract. */
  plan: string;
  used: number;
  cap: number;
  resetsAt: string;
  /** Whether an own key bypasses the gate. */
  isAdvisory: boolean;
}

/** Shows one gate of the platform's model. */
export function GateCard({ name, plan, used, cap, resetsAt, isAdvisory }: GateCardProps) {
  const gate = gateOf(used, cap);
  const { tone, word } = STATES[gate.kind];
  return (
    <Card title={name} actions={isAdvisory ? <Badge>Bypassed</Badge> : <Badge tone={tone}>{word}</Badge>}>
      <div className="flex flex-col gap-3">
        <p className="text-2xl leading-8 font-semibold tracking-tight tabular-nums">{figure(gate)}</p>
        {gate.kind === "open" && <Meter percent={gate.percent} label={`${name}: share used of ${cap}`} />}
        {gate.kind === "used_up" && <Meter percent={100} label={`${name}: all used`} />}
        <p className="text-muted">{note(gate, resetsAt, plan)}</p>
      </div>
    </Card>
  );
}

const STATES: Readonly<Record<Gate["kind"], { tone: Tone; word: string }>> = {
  unlimited: { tone: "good", word: "Unlimited" },
  open: { tone: "good", word: "Open" },
  used_up: { tone: "medium", word: "Used up" },
  off: { tone: "critical", word: "Switched off" },
};

function figure(gate: Gate): string {
  switch (gate.kind) {
    case "unlimited":
      return "No limit";
    case "off":
      return "None allowed";
    case "used_up":
      return `All ${countText(gate.cap)} used`;
    case "open":
      return `${countText(gate.used)} of ${countText(gate.cap)} used`;
  }
}

function note(gate: Gate, resetsAt: string, plan: string): ReactNode {
  switch (gate.kind) {
    case "unlimited":
      return `The ${plan} plan has no limit here, so usage isn’t counted.`;
    case "off":
      return "Model calls are switched off for this organization, and the limit doesn’t reset. Ask the operator of this server.";
    case "used_up":
      return (
        <>
          Requests are rejected for another <Countdown to={resetsAt} />.
        </>
      );
    case "open":
      return (
        <>
          {countText(gate.left)} left. Resets in <Countdown to={resetsAt} />.
        </>
      );
  }
}
