// Unusual interactions: with null for what is missing, as programs that stand in for Discord write it in tests and relays, and without
// fields that were added later.
import { expect, it } from "vitest";
import { parseInteraction } from "../../../src/discord/interactions/parse.ts";

const read = (json: object) => {
  const parsed = parseInteraction(new TextEncoder().encode(JSON.stringify(json)));
  return parsed.ok ? parsed.interaction : parsed.reason;
};
const envelope = {
  ...{ id: "1", application_id: "2", token: "t", channel_id: "3", guild_id: "4" },
  member: { user: { id: "5", username: "mira" }, nick: null, permissions: "8192" },
};
const words = { name: "message", type: 3, value: "hi" };

it("reads null as missing in every part of a command", () => {
  const file = { id: "8", filename: "a.txt", size: 4, url: "https://cdn.discordapp.com/a.txt" };
  const data = { name: "chat", type: 1, options: [words, { name: "file", type: 11, value: "8" }] };
  const resolved = { attachments: { 8: file } };
  const whole = read({ ...envelope, type: 2, channel: { id: "3" }, data: { ...data, resolved } });
  expect(whole).toMatchObject({ kind: "command", call: { options: { file: { filename: "a.txt" } } } });
  const withNulls = {
    ...{ ...envelope, type: 2, message: null, user: null, context: null, app_permissions: null },
    channel: { id: "3", type: null, parent_id: null, nsfw: null },
    member: { ...envelope.member, roles: null, avatar: null },
    data: {
      ...{ ...data, guild_id: null, target_id: null },
      options: data.options.map((one) => ({ ...one, options: null, focused: null })),
      resolved: { attachments: { 8: { ...file, proxy_url: null, duration_secs: null } }, messages: null, users: null },
    },
  };
  expect(read(withNulls)).toEqual(whole);
});

it("reads null as missing in a message that is asked about, and in a form", () => {
  const message = { id: "9", content: "hm", embeds: [{ title: "T" }], author: { id: "6", username: "theo" } };
  const asked = (about: object) =>
    read({
      ...{ ...envelope, type: 2 },
      data: { name: "Ask about this", type: 3, target_id: "9", resolved: { messages: { 9: about } } },
    });
  const embeds = [{ title: "T", author: null, fields: null, footer: null, image: null }];
  const whole = asked(message);
  expect(whole).toMatchObject({ kind: "message_command", message: { text: "hm\n\nT" } });
  expect(asked({ ...message, embeds, attachments: null, poll: null, message_snapshots: null })).toEqual(whole);
  const form = { custom_id: "ask-long", components: [{ component: { custom_id: "question", value: "hi" } }] };
  expect(read({ ...envelope, type: 5, data: { ...form, resolved: null } })).toMatchObject({
    kind: "modal",
    call: { fields: { question: "hi" } },
  });
});

it("still refuses a field of another type, and a body that is null", () => {
  expect(read({ ...envelope, type: 2, data: { name: "chat", options: 5, resolved: null } })).toMatch("data");
  expect(parseInteraction(new TextEncoder().encode("null"))).toMatchObject({ ok: false });
});

it.each(["constructor", "__proto__", "toString"])(
  "finds no file for the id %s, which is not among the resolved ones",
  (id) => {
    const resolved = { attachments: {} };
    const options = [words, { name: "file", type: 11, value: id }];
    expect(read({ ...envelope, type: 2, data: { name: "chat", options, resolved } })).toMatchObject({
      call: { options: { message: "hi", file: undefined } },
    });
    const components = [{ component: { custom_id: "files", values: [id] } }];
    expect(read({ ...envelope, type: 5, data: { custom_id: "ask-long", components, resolved } })).toMatchObject({
      call: { fields: { files: [] } },
    });
  },
);

it("treats a direct message between several people, and an unknown context, as no one's own", () => {
  const { guild_id: _guild, member, ...place } = envelope;
  const inDm = (type: number, context?: number) =>
    read({ ...place, user: member.user, type: 2, channel: { id: "3", type }, context, data: { name: "help" } });
  const between = { actor: { installContext: { kind: "private_channel" }, moderator: false, manager: false } };
  expect(inDm(3)).toMatchObject(between);
  expect(inDm(3)).toEqual(inDm(3, 2));
  for (const context of [0, 2, 3]) expect(inDm(1, context)).toMatchObject(between);
  expect(inDm(1, 1)).toEqual(inDm(1));
  expect(inDm(1)).toMatchObject({ actor: { installContext: { kind: "own_dm" }, manager: true } });
});
