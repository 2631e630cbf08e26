// Creates elements from a tag, attributes and children; text always becomes a text node, never markup. Also helpers for lists, links and forms.

/** What an element may contain; `false` and `undefined` mean nothing. */
export type Child = Node | string | false | undefined;

/** Creates an element. An attribute of `false` or `undefined` is left out; `true` is set without a value. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

const MARKED = "aria-activedescendant";

/** Tells a screen reader which list entry the keys of a text field have marked. If there is no such entry, removes the mark. */
export function markEntry(field: HTMLElement, list: HTMLElement, index: number): void {
  const entry = list.children[index];
  if (entry) {
    entry.id = `${list.id}-${index}`;
    field.setAttribute(MARKED, entry.id);
  } else if (field.getAttribute(MARKED)?.startsWith(list.id)) field.removeAttribute(MARKED);
}

/** Whether this is a web address. Addresses in messages can be any text. */
export const isWeb = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//.test(url);

/** Creates a handler for a form's submit event. It ignores further submits while the work for the first one is in progress. */
export function once(work: () => Promise<void>): (event: Event) => Promise<void> {
  let isAtWork = false;
  return async (event) => {
    event.preventDefault();
    if (isAtWork) return;
    isAtWork = true;
    try {
      await work();
    } finally {
      isAtWork = false;
    }
  };
}

/** Returns the page's element with this id. Throws if it is missing or of another kind, which is a bug in the page. */
export function required<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} with the id ${id}.`);
  return found;
}
