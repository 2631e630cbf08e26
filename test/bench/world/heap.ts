// Reads from a runtime's inspector how much of its heap a program uses (Chrome DevTools Protocol).

const LIMIT_MS = 2000;

/** Returns the bytes in use after garbage collection. Rejects if the runtime is gone or silent for two seconds. `host`: of the inspector. */
export async function heapBytes(host: string): Promise<number> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const targets = (await (await fetch(`http://${host}/json`, { signal })).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  try {
    return await new Promise<number>((read, failed) => {
      const fail = () => failed(new Error("the inspector gave no answer"));
      signal.addEventListener("abort", fail);
      socket.addEventListener("error", fail);
      socket.addEventListener("close", fail);
      const send = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
      socket.addEventListener("open", () => send(1, "HeapProfiler.collectGarbage"));
      socket.addEventListener("message", ({ data }) => {
        const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { usedSize: number } };
        if (id === 1) send(2, "Runtime.getHeapUsage");
        if (id === 2 && result) read(result.usedSize);
      });
    });
  } finally {
    socket.close();
  }
}
