import { ID } from "./common.ts";

/** Examples of notification channels for the documentation. A test checks each against its schema. */

const AT = "2026-10-07T09:30:00.000Z";
const LATER = "2026-10-07T14:05:12.000Z";
const CHANNEL_ID = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e";
const MESSAGE_ID = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9f";
const EVENT_ID = "evt_5f1c0b7e9a3d4826b1c05e7f9a3d4826";

export const CHANNEL = {
  id: CHANNEL_ID,
  kind: "webhook",
  name: "on-call",
  events: ["drift.detected", "scan.failed"],
  min_risk: "high",
  digest: "none",
  enabled: true,
  target: { host: "hooks.example.com" },
  consecutive_failures: 0,
  last_delivered_at: LATER,
  created_by: { type: "person", id: ID.person },
  created_at: AT,
  updated_at: AT,
};
export const NEW_CHANNEL = {
  kind: "webhook",
  name: "on-call",
  events: ["drift.detected", "scan.failed"],
  min_risk: "high",
  target: { url: "https://hooks.example.com/leeway" },
};
export const CHANNEL_WITH_SECRET = { ...CHANNEL, secret: "whsec_<32 bytes in base64>" };
export const TEST_TAKEN = { status: "accepted", delivery_id: MESSAGE_ID };
export const CHANNEL_DELIVERY = {
  id: MESSAGE_ID,
  channel_id: CHANNEL_ID,
  message_id: EVENT_ID,
  type: "drift.detected",
  event_ids: [EVENT_ID],
  status: "delivered",
  attempts: 1,
  created_at: LATER,
  last_attempt_at: LATER,
  delivered_at: LATER,
  response_status: 200,
};
