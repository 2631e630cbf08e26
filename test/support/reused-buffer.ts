// Bodies in pieces of one byte, as from a slow sender. Each piece is a view of the same buffer, which is overwritten as soon as the next byte is
// requested. In workerd each piece has its own buffer of 4 KiB instead, so a reader that keeps the pieces uses 4,096 times the body's memory.

/** Makes a stream of this text whose reader must copy each piece at once. */
export function inOneBuffer(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(4096);
  const bytes = new TextEncoder().encode(text).values();
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = bytes.next();
        if (done) return controller.close();
        buffer[0] = value;
        controller.enqueue(buffer.subarray(0, 1));
      },
    },
    { highWaterMark: 0 },
  );
}
