// How far an answer got on its way to the agent.

import { h } from "./dom.js";
import { moment } from "./moment.js";
import { shown } from "./text.js";
import { deliveryOf } from "./words.js";

const STEPS = ["recorded", "handed over", "confirmed"];
// How many of the steps are behind it.
const REACHED = {
  queued: 1, held: 1, claimed: 1, typed: 1, submitted: 2, acknowledged: 3, collected: 3,
  uncertain: 1, failed: 1,
};

/** The steps, and the delivery in words; nothing where there is nothing to deliver. */
export function receipt(item) {
  const { delivery } = item;
  if (!delivery) return [];
  const reached = REACHED[delivery.status] ?? 1;
  const steps = STEPS.map((step, place) =>
    h("li", { class: place < reached ? "done" : "" }, step));
  const isTrouble = delivery.status === "uncertain" || delivery.status === "failed";
  return [
    h("ol", { class: "steps", "aria-label": "Delivery" }, steps),
    h("p", { class: `delivery ${isTrouble ? "trouble" : ""}` },
      h("b", {}, delivery.status), `: ${deliveryOf(delivery.status)}`,
      delivery.detail && [" (", shown(delivery.detail), ")"], " · ", moment(delivery.at)),
  ];
}
