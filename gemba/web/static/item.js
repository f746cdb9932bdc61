// One escalation with all that a person needs to decide it, and what became of the decision.

import { Answer } from "./answer.js";
import { permissionContext } from "./context.js";
import { button, h } from "./dom.js";
import { markdown } from "./markdown.js";
import { moment } from "./moment.js";
import { Peek } from "./peek.js";
import { receipt } from "./receipt.js";
import { href } from "./route.js";
import { firstLine, foreign, shown } from "./text.js";
import { expiryOf, isPermission, reasonOf, sourceOf, stateOf } from "./words.js";

// Characters that are shown at first; agents send up to a megabyte.
const MOST = 20_000;
const LONGEST_TITLE = 300;
// Minutes that a claim holds.
const CLAIM = 15;

export class Item {
  /**
   * `desk` does what is decided: settle(item, decision), settleAll(items, decision) and
   * act(item, name, more). `drafts` keeps what is typed, by id.
   */
  constructor(item, desk, drafts) {
    this.desk = desk;
    this.drafts = drafts;
    this.head = h("div", { class: "head" });
    this.body = h("div", { class: "body" });
    this.foot = h("div", { class: "foot" });
    this.peek = new Peek(item.session_id);
    this.element = h("article", { "aria-labelledby": "item-title" },
      this.head, this.body, this.foot, this.peek.element);
    this.fill(item);
  }

  /** It is so now; `same` are the other open ones that ask the same. */
  update(item, same) {
    if (item !== this.item) this.fill(item);
    if (item.state === "open") this.updateSame(same);
  }

  /** Say that one looks after it, or no more. */
  claim() {
    if (this.item.state !== "open") return;
    if (this.item.claimed_by) this.desk.act(this.item, "release");
    else this.desk.act(this.item, "claim", { minutes: CLAIM });
  }

  /** Open it again. */
  reopen() {
    if (this.item.state !== "open") this.desk.act(this.item, "reopen");
  }

  /** It is shown no more. */
  close() {
    this.peek.close();
  }

  fill(item) {
    const before = this.item;
    this.item = item;
    this.head.replaceChildren(...head(item, () => this.claim()));
    if (before?.prompt !== item.prompt) this.body.replaceChildren(...context(item));
    if (item.state !== "open") this.settled();
    else if (before?.state !== "open") this.opened();
    else this.answer.item = item;
  }

  opened() {
    this.together = null;
    this.sameIds = "";
    this.same = h("label", { class: "together", hidden: true });
    this.answer = new Answer(this.item, this.drafts, (decision) => this.decide(decision));
    this.foot.replaceChildren(this.same, this.answer.element);
  }

  settled() {
    if (this.foot.contains(document.activeElement)) this.element.querySelector("h2").focus();
    const draft = this.drafts.get(this.item.id);
    const isOurs = this.answer?.isBusy || this.item.resolution?.value === draft;
    this.answer = null;
    this.foot.replaceChildren(...[outcome(this.item), ...receipt(this.item),
      draft && !isOurs && unsent(draft),
      h("div", { class: "buttons" }, this.afterwards())].filter(Boolean));
  }

  afterwards() {
    const act = (label, name, more, style) =>
      button(label, () => this.desk.act(this.item, name, more), { class: style });
    const status = this.item.delivery?.status;
    const isStuck = status === "uncertain" || status === "failed";
    return [
      isStuck && act("Deliver once more", "redeliver", { leave: false }, "primary"),
      status === "uncertain" && act("Leave it", "redeliver", { leave: true }, ""),
      button("Reopen", () => this.reopen(), { class: "quiet" }),
    ].filter(Boolean);
  }

  updateSame(same) {
    if (same.map((one) => one.id).join() === this.sameIds) return;
    this.others = same;
    this.sameIds = same.map((one) => one.id).join();
    this.same.hidden = !same.length;
    const box = h("input", { type: "checkbox" });
    this.together = box;
    const whom = same.length === 1 ? "1 other agent" : `${same.length} others`;
    this.same.replaceChildren(box, ` Answer ${whom} with the same question too`);
  }

  decide(decision) {
    const items = this.together?.checked ? [this.item, ...this.others] : [this.item];
    return items.length > 1
      ? this.desk.settleAll(items, decision) : this.desk.settle(this.item, decision);
  }
}

function head(item, claim) {
  const isOpen = item.state === "open";
  return [
    h("p", { class: "chips" },
      h("span", { class: `chip ${item.urgency}` }, item.urgency),
      h("span", { class: "chip" }, sourceOf(item)),
      h("span", { class: `chip state ${item.state}` }, stateOf(item)),
      isOpen && button(item.claimed_by ? "Release" : "Claim", claim, { class: "quiet small" })),
    foreign("h2", title(item), { id: "item-title", tabindex: "-1" }),
    h("p", { class: "meta" },
      h("a", { href: href("sessions", item.session_id), dir: "auto" }, shown(item.session_id)),
      item.agent_type && foreign("bdi", item.agent_type),
      item.role && h("span", {}, item.role),
      item.work_item_id && foreign("bdi", item.work_item_id, { class: "work" }),
      h("span", {}, "asked ", moment(item.created_at)),
      item.asked_count > 1 && h("span", {}, `${item.asked_count} times`),
      h("code", { class: "id", title: item.id }, item.id.slice(0, 8))),
    ...notices(item, isOpen),
  ];
}

function notices(item, isOpen) {
  if (!isOpen) return [];
  return [
    item.claimed_by && h("p", { class: "notice" }, foreign("bdi", item.claimed_by),
      " looks after it", item.claimed_until && [", until ", moment(item.claimed_until)]),
    item.deadline && h("p", { class: "notice" }, "Deadline ", moment(item.deadline), ", ",
      shown(expiryOf(item.on_expiry))),
    item.possible_reply && h("p", { class: "notice" }, "Typed in the pane meanwhile, perhaps the answer: ",
      foreign("q", item.possible_reply)),
  ].filter(Boolean);
}

/** A title that was cut stands whole in the text's first line, if that is not too long. */
function title(item) {
  const first = firstLine(item.prompt, LONGEST_TITLE);
  const isCut = item.title.endsWith("…") && !first.endsWith("…");
  return isCut && first.startsWith(item.title.slice(0, -1)) && !isPermission(item) ? first : item.title;
}

function context(item) {
  // Whole, however long: what is approved may not hide at the end.
  if (isPermission(item)) return permissionContext(item.prompt);
  // Its first line stands above already.
  const text = item.prompt.trim();
  const begin = title(item).trim();
  const isTold = text === begin || text.startsWith(`${begin}\n`);
  return limited(isTold ? text.slice(begin.length).trim() : text);
}

/** The text as markdown, or its beginning, with a button for all of it as it stands. */
function limited(text) {
  if (text.length <= MOST) return markdown(text);
  const whole = h("pre", { class: "whole", tabindex: "0" });
  const more = button(`Show all ${Math.ceil(text.length / 1024)} KiB as plain text`, () => {
    whole.append(...shown(text));
    more.replaceWith(whole);
  });
  const cut = text.slice(0, text.lastIndexOf("\n", MOST) + 1 || MOST);
  return [...markdown(cut), h("p", { class: "notice" }, "The rest is not shown. ", more)];
}

function outcome(item) {
  const done = item.resolution;
  if (!done) {
    return h("p", { class: "outcome-line" }, h("b", {}, capital(item.state)),
      item.reason && [": ", shown(reasonOf(item.reason))]);
  }
  return h("div", { class: "outcome-line" },
    h("p", {}, h("b", {}, capital(stateOf(item))), " by ", foreign("bdi", done.resolved_by),
      done.via === "policy" ? " (no person answered)" : ` via ${done.via}`, ", ", moment(done.resolved_at)),
    done.value && foreign("blockquote", done.value));
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function unsent(draft) {
  return h("div", { class: "notice" }, "It was settled while you wrote. Not sent, and kept here:",
    h("pre", { tabindex: "0" }, shown(draft)));
}
