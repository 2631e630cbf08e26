// The inspector over fixtures, on a local port, without the rest of the Worker: for tests with a browser and of the terminal's command.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { answerInspector } from "../../src/inspector/inspector.ts";
import type { InspectReader } from "../../src/inspector/reader.ts";
import { fakeReader } from "./inspected.ts";

export const INSPECT_TOKEN = "a token of the owner";

/** The server and what it was asked. */
export interface InspectorServer {
  url: string;
  reader: InspectReader & { asked: string[] };
  close(): Promise<void>;
}

/** Starts it over the fixtures, except for the given answers. */
export async function serveInspector(changes: Partial<InspectReader> = {}): Promise<InspectorServer> {
  const reader = fakeReader(changes);
  const logError = (line: string, detail: unknown) => console.error(line, detail);
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming);
    const answer = await answerInspector(request, { token: INSPECT_TOKEN, reader, now: () => Date.now(), logError });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    reader,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  return new Request(`http://${headers.host}${url}`, { method, headers: pairs, ...body });
}
