// An option whose choice is missing or of another version, as after a deploy that was rolled back: nothing changes. /deliberate has its own test.
import { expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { openScopes } from "../../support/scopes.ts";

const OWNED = { ...VARIABLES, OWNER_IDS: PEOPLE.mira };
const DIRECT = { guild_id: undefined, member: undefined, user: { id: PEOPLE.mira }, context: 1 };

it.each<[name: string, subcommand: string, extra: Record<string, unknown>]>([
  ["privacy", "opt-out", {}],
  ["owner", "pause", DIRECT],
])("/%s %s changes nothing without a choice that it knows", async (name, subcommand, extra) => {
  const asked: unknown[] = [];
  const note = async (request: unknown) => asked.push(request) as never;
  const world = scene({ scope: openScopes({ person: note, own: note }), variables: OWNED });
  for (const options of [[], [{ name: "state", type: 3, value: "until tomorrow" }]]) {
    const data = { id: "1", name, type: 1, options: [{ name: subcommand, type: 1, options }] };
    const act = { as: PEOPLE.mira, channel: PLACES.general, kind: "raw", type: 2, data, extra } satisfies Interact;
    expect(await world.answered(act)).toMatchObject({ type: 4, data: { content: say.choiceMissing } });
  }
  expect(asked).toEqual([]);
});
