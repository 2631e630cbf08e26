// The choice of who speaks, below the box.
import { avatar } from "./avatar.ts";
import { element, required } from "./element.ts";
import { describePerson, nameRank, sortPeople } from "./people.ts";
import type { WorldState } from "./shapes.ts";

/** Lists the people with their rank in the shown server; `serverId` is absent outside servers. `speakAs` receives the chosen person's id. */
export function drawSpeakers(
  { people, servers }: WorldState,
  serverId: string | undefined,
  as: string,
  speakAs: (person: string) => void,
): void {
  const [home] = servers;
  const shown = servers.find(({ id }) => id === serverId);
  if (!home) return;
  const list = required("people", HTMLElement);
  const isHere = list.contains(document.activeElement);
  list.replaceChildren(
    ...sortPeople(people, home).map((person) => {
      const radio = element("input", { type: "radio", name: "as", value: person.id, checked: person.id === as });
      radio.addEventListener("change", () => speakAs(person.id));
      const rank = element("small", {}, nameRank(person, shown, home));
      return element(
        "label",
        { class: "person", title: describePerson(person, servers) },
        radio,
        avatar(person),
        element("span", {}, element("strong", {}, person.name), " ", rank),
      );
    }),
  );
  // If a person was chosen with the keyboard, the focus stays on them.
  if (isHere) list.querySelector<HTMLElement>(":checked")?.focus();
}
