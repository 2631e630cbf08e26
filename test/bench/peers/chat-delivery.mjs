// The peer `chat` with its Discord adapter, in Node: posts one streamed answer as its guide says, each time to another channel. The stream is
// read from the model by hand, because only the delivery is measured.

import { createDiscordAdapter } from "@chat-adapter/discord";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat } from "chat";

const [, , modelUrl, discordUrl] = process.argv;

async function* answer() {
  const response = await fetch(`${modelUrl}/v1/chat/completions`, { method: "POST", body: "{}" });
  let rest = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("data: {")) {
        const text = JSON.parse(line.slice("data: ".length)).choices[0]?.delta?.content;
        if (text) yield text;
      }
  }
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const adapter = createDiscordAdapter({
  botToken: "token",
  applicationId: "1300000000000000001",
  publicKey: "0".repeat(64),
  apiUrl: `${discordUrl}/api/v10`,
  logger: quiet,
});
const bot = new Chat({ userName: "bench", adapters: { discord: adapter }, state: createMemoryState(), logger: quiet });
await bot.initialize();
process.send("ready");
process.on("message", async (channel) => {
  try {
    await bot.thread(`discord:1180000000000000001:${channel}`).post(answer());
    process.send("posted");
  } catch (error) {
    process.send(`failed: ${String(error).slice(0, 300)}`);
  }
});
process.once("disconnect", () => process.exit());
