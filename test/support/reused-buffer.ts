// Bodies in pieces of one byte, as a slow sender makes them. Each piece is a part of the same buffer, which has the next byte as soon as that is
// asked for: in workerd each has 4 KiB of its own instead, so that a reader that keeps the pieces keeps 4,096 times the body.

/** A stream of this text whose reader must copy each piece at once. */
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
