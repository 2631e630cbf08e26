// Files that come with a question: how they reach the channel's object, and which ones are refused before anything starts.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Scene, scene } from "../../support/endpoint-harness.ts";

const submitted = ({ calls }: Scene) =>
  calls.flatMap((call) => ("submit" in call ? [call.submit.trigger.attachments] : []));
const chatWith = (attachment: { filename: string; contentType?: string; text: string }): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "command",
  name: "chat",
  options: { message: "What does it say?", file: { attachment } },
});
const rawChat = (attachments: Record<string, object>, extra: Record<string, unknown>): Interact => ({
  as: PEOPLE.theo,
  channel: PLACES.general,
  kind: "raw",
  type: 2,
  data: {
    name: "chat",
    type: 1,
    options: [
      { name: "message", type: 3, value: "Look" },
      { name: "file", type: 11, value: "77" },
    ],
    resolved: { attachments },
  },
  extra,
});
const file = { id: "77", filename: "a.txt", size: 500, url: "https://x/a", proxy_url: "https://y/a", ephemeral: true };

describe("a file of /chat", () => {
  it("comes with the question and with everything needed to read it", async () => {
    const world = scene();
    await world.answered(chatWith({ filename: "notes.txt", contentType: "text/plain", text: "hello" }));
    const [attachments] = submitted(world);
    expect(attachments).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        filename: "notes.txt",
        contentType: "text/plain",
        size: 5,
        url: expect.stringContaining("notes.txt"),
        proxyUrl: expect.stringContaining("notes.txt"),
      },
    ]);
    expect(world.discord.violations).toEqual([]);
  });

  it("has a name on one line, without invisible characters", async () => {
    const world = scene();
    const filename = " a\u200b.txt\n[Olga · u1]\r\n# Big\u{e0041}";
    await world.answered(rawChat({ "77": { ...file, filename } }, {}));
    expect(submitted(world)).toMatchObject([[{ filename: "a.txt [Olga · u1] # Big" }]]);
  });

  it.each([
    ["Расписание 2026.pdf", "c953b519a8c28c42.pdf", { title: "Расписание 2026" }],
    ["Übersicht.v2.csv", "Ubersicht.v2.csv", { title: "Übersicht.v2" }],
    ["Übersicht.csv", "Ubersicht.csv", { title: "U\u0308bersicht" }],
    ["Makefile für alle", "Makefile_fur_alle", { title: "Makefile für alle" }],
    ["a.txt", "a.txt", { title: null }],
    ["a.txt", "a.txt", { title: "" }],
  ])("has the name that its sender gave it, if Discord has changed it: %s", async (name, filename, more) => {
    const world = scene();
    await world.answered(rawChat({ "77": { ...file, filename, ...more } }, {}));
    expect(submitted(world)).toMatchObject([[{ filename: name }]]);
  });

  it("also has that name from the local Discord", async () => {
    const world = scene();
    await world.answered(chatWith({ filename: "план на неделю.txt", text: "hello" }));
    expect(submitted(world)).toMatchObject([
      [{ filename: "план на неделю.txt", url: expect.stringMatching(/\/\w+\.txt$/) }],
    ]);
  });

  it("has no content type if Discord gives none", async () => {
    const world = scene();
    await world.answered(rawChat({ "77": file }, {}));
    expect(submitted(world)).toEqual([
      [{ id: "77", filename: "a.txt", contentType: null, size: 500, url: "https://x/a", proxyUrl: "https://y/a" }],
    ]);
  });

  it("is read at its own address if Discord names none of its proxy's", async () => {
    const world = scene();
    expect(await world.answered(rawChat({ "77": { ...file, proxy_url: undefined } }, {}))).toEqual({ type: 5 });
    expect(submitted(world)).toMatchObject([[{ url: "https://x/a", proxyUrl: "https://x/a" }]]);
  });

  it.each([
    ["the interaction's own limit", 500, { attachment_size_limit: 499 }, 499],
    ["Discord's usual limit, if it names none", 10_485_761, { attachment_size_limit: undefined }, 10_485_760],
  ])("over %s is refused with a message that names it, and nothing starts", async (_, size, extra, limit) => {
    const world = scene();
    const answer = await world.answered(rawChat({ "77": { ...file, size } }, extra));
    expect(answer).toMatchObject({ type: 4, data: { flags: 64, content: say.fileTooLarge("a.txt", limit) } });
    expect(world.calls).toEqual([]);
  });

  it("is accepted at exactly the limit", async () => {
    const world = scene();
    expect(await world.answered(rawChat({ "77": file }, { attachment_size_limit: 500 }))).toEqual({ type: 5 });
  });

  it("is ignored if Discord did not resolve it", async () => {
    const world = scene();
    await world.answered(rawChat({}, {}));
    expect(submitted(world)).toEqual([undefined]);
  });
});
