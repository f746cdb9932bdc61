// A list of escalations: each a link to its details, with a box to choose it.

import { h, keyed } from "./dom.js";
import { moment } from "./moment.js";
import { href } from "./route.js";
import { foreign, plain } from "./text.js";
import { deliveryOf, isApproval, sourceOf, stateOf } from "./words.js";

export class Rows {
  /** `selection` is a Set of ids, or null where nothing can be chosen; `chose` is called after. */
  constructor(view, selection, chose) {
    this.view = view;
    this.selection = selection;
    this.chose = chose;
    this.element = h("ol", { class: "rows", "aria-label": "Escalations" });
  }

  /** Show these in this order; equal texts come together below the first of them. */
  update(items, current) {
    const ordered = this.selection ? together(items) : items.map((item) => [item, false]);
    keyed(this.element, ordered.map(([item]) => [item.id, () => this.row(item)]));
    [...this.element.children].forEach((row, place) => this.refresh(row, ...ordered[place], current));
  }

  /** The ids, from top to bottom. */
  get ids() {
    return [...this.element.children].map((row) => row.dataset.key);
  }

  row(item) {
    const box = this.selection && h("input", {
      type: "checkbox", "aria-label": `Choose: ${plain(item.title)}`,
      onchange: () => {
        if (box.checked) this.selection.add(item.id);
        else this.selection.delete(item.id);
        this.chose();
      },
    });
    return h("li", {}, box, h("a"));
  }

  refresh(row, item, follows, current) {
    const box = row.querySelector("input");
    if (box) {
      box.checked = this.selection.has(item.id);
      box.disabled = item.state !== "open";
    }
    const link = row.querySelector("a");
    link.href = href(this.view, item.id);
    if (item.id === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (row.item === item && row.follows === follows) return;
    Object.assign(row, { item, follows });
    row.className = `row ${item.urgency} ${item.state}${follows ? " follows" : ""}`;
    link.replaceChildren(...this.parts(item, follows));
  }

  parts(item, follows) {
    const title = foreign("span", item.title, { class: "title" });
    const meta = h("span", { class: "meta" },
      h("span", { class: `kind ${item.urgency}` },
        item.urgency === "blocking" ? `blocking ${sourceOf(item)}` : sourceOf(item)),
      foreign("bdi", item.session_id),
      item.agent_type && foreign("bdi", item.agent_type),
      item.role && h("span", {}, item.role),
      item.work_item_id && foreign("bdi", item.work_item_id, { class: "work" }),
      item.asked_count > 1 && h("span", {}, `asked ${item.asked_count} times`),
      item.deadline && item.state === "open" && h("span", { class: "due" }, "due ", moment(item.deadline)),
      item.claimed_by && foreign("span", `with ${item.claimed_by}`, { class: "claimed" }),
      item.state !== "open" && outcome(item));
    return [h("span", { class: "top" }, follows ? h("span", { class: "title" }, "asks the same") : title,
      moment(item.created_at)), meta];
  }
}

/** What became of it, in two words. */
function outcome(item) {
  const status = item.delivery?.status;
  const trouble = status === "failed" || status === "uncertain";
  return h("span", { class: `outcome ${trouble ? "trouble" : ""}` },
    stateOf(item), status ? ` · ${deliveryOf(status)}` : "");
}

/** `[item, follows]`: whether it asks the same as the one before it. */
function together(items) {
  const groups = new Map();
  for (const item of items) {
    const text = sameAs(item);
    groups.set(text, [...(groups.get(text) ?? []), item]);
  }
  return [...groups.values()].flatMap((group) => group.map((item, place) => [item, place > 0]));
}

/** What must be equal in escalations that can be answered together. */
export function sameAs(item) {
  if (item.state !== "open" || item.channel !== "tool_call" || isApproval(item)) return item.id;
  const values = item.options.map((option) => option.value);
  return JSON.stringify([item.source, item.urgency, item.prompt.trim(), values]);
}
