// Elements, made without markup: text from agents can never become more than text.

/**
 * An element with these attributes and children. `on…` are listeners, true is an attribute
 * without a value; null, false and empty strings are left out; strings become text.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (value !== null && value !== undefined && value !== false && value !== "") {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(9).filter((child) => child || child === 0));
  return element;
}

/** An element of a drawing, with attributes and children as they stand. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button; `attributes` as in `h`. */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * Let `parent` hold exactly these [key, element maker] in this order. What is there with the same
 * key is kept as it stands, so that focus and scroll stay where they are.
 */
export function keyed(parent, wanted) {
  const there = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  wanted.forEach(([key, make], place) => {
    const element = there.get(key) ?? make();
    element.dataset.key = key;
    there.delete(key);
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place] ?? null);
  });
  for (const element of there.values()) element.remove();
}

/** Whether keys typed there are words, not commands. */
export function isTyping(element) {
  return element?.matches?.("textarea, select, input:not([type=checkbox])") ?? false;
}
